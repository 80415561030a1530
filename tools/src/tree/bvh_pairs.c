#include "tree/bvh_pairs.h"

/* ---- from frame to frame ---- */

/* The largest magnitude, axis by axis, that a corner of b's bounds takes in a's frame. */
static cdi_v3 cdi_reach(const cdi_bvh_header *b, const cdi_pose *pose) {
    cdi_v3 lo = cdi_v3_make(b->lo[0], b->lo[1], b->lo[2]), hi = cdi_v3_make(b->hi[0], b->hi[1], b->hi[2]);
    cdi_v3 most = cdi_v3_make(cdi_max(cdi_abs(lo.x), cdi_abs(hi.x)), cdi_max(cdi_abs(lo.y), cdi_abs(hi.y)),
                              cdi_max(cdi_abs(lo.z), cdi_abs(hi.z)));
    cdi_v3 r = cdi_v3_make(cdi_abs(pose->position.x), cdi_abs(pose->position.y), cdi_abs(pose->position.z));
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = pose->rotation.c[i];
        r = cdi_v3_along(r, cdi_v3_make(cdi_abs(c.x), cdi_abs(c.y), cdi_abs(c.z)), cdi_v3_get(most, i));
    }
    return r;
}

/* Squares stay in range. Beyond it nothing is met that comes within a tenth of it. */
static float cdi_map_float(double x) {
    return (float)cdi_clamp(x, -1e18, 1e18);
}

/* x -> (rotation (x 2^from + origin_from) + position - origin_to) 2^-to, and with it how much boxes have to grow: by `grow`, in
 * the frame they come to; by the rounding of ten operations on floats; and by what makes every gap that is left large beside
 * the rounding of exact coordinates. */
static void cdi_frame_map_make(cdi_frame_map *m, const cdi_frame *to, const cdi_frame *from,
                               const cdi_m3 *rotation, cdi_v3 origin, const double grow[3]) {
    int e = from->exponent - to->exponent;
    m->useful = e <= 50;
    for (int i = 0; i < 3; ++i) {
        double shift = cdi_frame_in(to, i, cdi_v3_get(origin, i)), sum = cdi_abs(shift), room;
        for (int k = 0; k < 3; ++k) {
            double t = cdi_scale2(cdi_v3_get(rotation->c[k], i), e);
            m->turn[i][k] = cdi_map_float(t);
            m->size[i][k] = cdi_map_float(cdi_abs(t));
            sum += cdi_abs(t);
        }
        room = grow[i] + 9.6e-7 * sum + 4.8e-7; /* 2^-20, 2^-21 */
        m->useful = m->useful && cdi_finite(sum) && (room < 1e17 || room < 0.5 * cdi_abs(shift));
        m->shift[i] = cdi_map_float(shift);
        m->grow[i] = (float)cdi_min(room, 1e17);
    }
}

/* What rounding makes of corners of b that are posed, and of decisions with a tolerance, which takes all coordinates alike. */
static void cdi_pose_measure(cdi_pair_walk *w) {
    const double *origin = w->a.header->frame.origin;
    w->size = cdi_v3_max_abs(cdi_reach(w->b.header, &w->place_b.pose));
    w->size += cdi_v3_max_abs(cdi_v3_make(origin[0], origin[1], origin[2]));
    w->error = (4.0 * (double)CD_REAL_EPSILON + 1e-13) * w->size;
}

/* R x + p into a's frame. */
static void cdi_map_to_a(cdi_pair_walk *w, double distance) {
    const cdi_frame *a = &w->a.header->frame, *b = &w->b.header->frame;
    const cdi_pose *pose = &w->place_b.pose;
    cdi_v3 origin = cdi_pose_point(pose, cdi_v3_make(b->origin[0], b->origin[1], b->origin[2]));
    double grow[3];
    grow[0] = grow[1] = grow[2] = cdi_scale2(w->error + distance * 1.000001, -a->exponent);
    cdi_frame_map_make(&w->to_a, a, b, &pose->rotation, origin, grow);
}

/* How much the boxes of items have to grow: not at all where their corners are compared exactly; for distances by what is
 * large beside their rounding. */
static void cdi_pad_items(cdi_pair_walk *w, double distance) {
    int a = w->a.header->frame.exponent, b = w->b.header->frame.exponent;
    double unit = distance > 0.0 ? cdi_scale2(4.8e-7, a > b ? a : b) : 0.0;
    bool exact = distance == 0.0 && w->a.item != CD_BVH_BOXES && w->b.item != CD_BVH_BOXES;
    w->pad = exact ? 0.0 : w->error + distance * 1.000001 + unit;
}

/* The other way: R^T (x - p). The error of the pose turns along; as a length it is at most the sum. */
static void cdi_map_to_b(cdi_pair_walk *w, double distance) {
    const cdi_frame *a = &w->a.header->frame, *b = &w->b.header->frame;
    const cdi_pose *pose = &w->place_b.pose;
    cdi_m3 back = cdi_m3_transpose(&pose->rotation);
    cdi_v3 origin = cdi_v3_make(a->origin[0], a->origin[1], a->origin[2]);
    cdi_v3 size = cdi_reach(w->b.header, pose);
    double grow[3], all, step = 4.0 * (double)CD_REAL_EPSILON + 1e-13;
    all = size.x + size.y + size.z + cdi_abs(origin.x) + cdi_abs(origin.y) + cdi_abs(origin.z);
    origin = cdi_m3_mul_v3(&back, cdi_v3_sub(origin, pose->position));
    for (int i = 0; i < 3; ++i) {
        grow[i] = step * (all + cdi_abs(b->origin[i])) + distance * 1.000001;
        grow[i] = cdi_scale2(grow[i], -b->exponent);
    }
    cdi_frame_map_make(&w->to_b, b, a, &back, origin, grow);
}

CDI_FN void cdi_pairs_shift(cdi_pair_walk *w, cdi_v3 by, double distance) {
    cdi_v3 position = w->place_b.pose.position;
    w->place_b.pose.position = cdi_v3_add(position, by);
    cdi_map_to_a(w, distance);
    cdi_map_to_b(w, distance);
    w->place_b.pose.position = position;
}

/* ---- opening ---- */

static bool cdi_posed_meets(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    (void)w;
    return cdi_posed_meet(a, b);
}

static bool cdi_posed_within(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    return cdi_posed_sqdist(a, b, w->sqdistance) <= w->sqdistance;
}

static void cdi_pairs_place(cdi_pair_walk *w, const cd_transform *b_in_a) {
    w->place_a.transform = cd_transform_identity();
    w->place_a.pose = cdi_pose_of(&w->place_a.transform);
    w->place_b = w->place_a;
    if (!b_in_a) return;
    w->place_b.transform = *b_in_a;
    w->place_b.pose = cdi_pose_of(b_in_a);
    w->place_b.moved = true;
}

CDI_FN bool cdi_pairs_begin(cdi_pair_walk *w, const cd_transform *b_in_a, double distance,
                            const cd_bvh_pair_options *options) {
    if (!(distance >= 0.0) || (b_in_a && !cd_transform_is_valid(b_in_a))) return false;
    cdi_pairs_place(w, b_in_a);
    distance = cdi_min(distance, 1e300);
    cdi_pose_measure(w);
    cdi_pad_items(w, distance);
    w->sharing = w->place_b.moved ? CDI_SHARING_ASK : CDI_SHARING_MEETS;
    w->options = options;
    w->rule = options ? options->rule : 0u;
    w->sqdistance = cdi_min(distance * distance, CDI_HUGE);
    w->meets = distance > 0.0 ? cdi_posed_within : cdi_posed_meets;
    return true;
}

CDI_FN bool cdi_pairs_open(cdi_pair_walk *w, const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                           double distance, const cd_bvh_pair_options *options) {
    int e;
    cdi_clear(w, sizeof *w);
    if (!cdi_bvh_open(&w->a, a) || !cdi_bvh_open(&w->b, b)) return false;
    if (!cdi_pairs_begin(w, b_in_a, distance, options)) return false;
    distance = cdi_min(distance, 1e300);
    cdi_map_to_a(w, distance);
    cdi_map_to_b(w, distance);
    e = w->b.header->frame.exponent - w->a.header->frame.exponent;
    w->b_size = cdi_map_float(cdi_scale2(1.0, e));
    return true;
}

CDI_FN bool cdi_pairs_sees(const cdi_pair_walk *w, uint32_t item_a, uint32_t item_b, cd_pair pair) {
    const cd_bvh_pair_options *o = w->options;
    if (!o) return true;
    if (cdi_bvh_ignores(&w->a, item_a, o->ignore_a) || cdi_bvh_ignores(&w->b, item_b, o->ignore_b))
        return false;
    return !o->filter || o->filter(o->user, pair);
}

CDI_FN void cdi_pairs_closest(const cdi_pair_walk *w, const cdi_pair_nearest *best, cd_closest *out) {
    cdi_posed a, b;
    cdi_posed_read(&a, &w->a, best->item_a, &w->place_a);
    cdi_posed_read(&b, &w->b, best->item_b, &w->place_b);
    cdi_posed_closest(&a, &b, best->sqdist, out);
    out->index_a = best->pair.a;
    out->index_b = best->pair.b;
}

CDI_FN bool cdi_pairs_recall(const cdi_pair_walk *w, const cd_pair *last, cdi_posed *a, cdi_posed *b) {
    if (!last || !cdi_bvh_has_item(&w->a, last->a) || !cdi_bvh_has_item(&w->b, last->b)) return false;
    cdi_posed_read(a, &w->a, last->a, &w->place_a);
    cdi_posed_read(b, &w->b, last->b, &w->place_b);
    return true;
}

/* ---- leaves ---- */

static void cdi_posed_box(const cdi_pair_walk *w, cdi_posed_block *held, uint32_t lane) {
    cdi_v3 lo, hi;
    cdi_posed_bounds(&held->item[lane], &lo, &hi);
    for (int k = 0; k < 3; ++k) {
        held->lo[k][lane] = (cd_real)cdi_v3_get(lo, k);
        held->hi[k][lane] = (cd_real)cdi_v3_get(hi, k);
        if (w->pad == 0.0) continue;
        held->lo[k][lane] = cdi_diff_down(cdi_v3_get(lo, k), w->pad);
        held->hi[k][lane] = cdi_sum_up(cdi_v3_get(hi, k), w->pad);
    }
}

CDI_FN void cdi_posed_hold(const cdi_pair_walk *w, cdi_posed_block *held, bool of_b, uint32_t first,
                           uint32_t count) {
    count = count < 8 ? count : 8;
    if (held->count == count && held->first == first) return;
    held->first = first;
    held->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_posed_read(&held->item[i], of_b ? &w->b : &w->a, first + i, of_b ? &w->place_b : &w->place_a);
        cdi_posed_box(w, held, i);
    }
}

/* ---- visitors ---- */

CDI_FN bool cdi_pair_append(void *user, cd_pair pair) {
    cdi_pair_list *list = (cdi_pair_list *)user;
    if (list->count < list->capacity) list->pairs[list->count] = pair;
    ++list->count;
    return true;
}

CDI_FN bool cdi_pair_first(void *user, cd_pair pair) {
    if (user) *(cd_pair *)user = pair;
    return false;
}
