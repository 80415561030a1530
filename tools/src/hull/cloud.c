#include "hull/cloud.h"

/* A point's place on the curve, and which it is. */
typedef struct cdi_cloud_key {
    uint64_t code;
    uint32_t source, unused;
} cdi_cloud_key;

/* ---- the frame ---- */

/* How far the ends of an interval are from its rounded middle. */
static double cdi_reach_of(double lo, double middle, double hi) {
    return cdi_min(cdi_max(middle - lo, hi - middle) * (1.0 + 1e-15), CDI_HUGE);
}

static void cdi_cloud_frame(cdi_cloud *c, const uint32_t *chosen, uint32_t count) {
    cdi_v3 lo = cdi_v3_make(CDI_HUGE, CDI_HUGE, CDI_HUGE), hi = cdi_v3_neg(lo);
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_cloud_input_at(&c->input, chosen ? chosen[i] : i);
        lo = cdi_v3_make(cdi_min(p.x, lo.x), cdi_min(p.y, lo.y), cdi_min(p.z, lo.z));
        hi = cdi_v3_make(cdi_max(p.x, hi.x), cdi_max(p.y, hi.y), cdi_max(p.z, hi.z));
    }
    c->middle = cdi_v3_make(lo.x * 0.5 + hi.x * 0.5, lo.y * 0.5 + hi.y * 0.5, lo.z * 0.5 + hi.z * 0.5);
    c->reach = cdi_v3_make(cdi_reach_of(lo.x, c->middle.x, hi.x), cdi_reach_of(lo.y, c->middle.y, hi.y),
                           cdi_reach_of(lo.z, c->middle.z, hi.z));
    if (c->input.low) {
        c->slack = cdi_v3_make(cdi_max(-lo.x, hi.x), cdi_max(-lo.y, hi.y), cdi_max(-lo.z, hi.z));
        c->slack = cdi_v3_scale(c->slack, 1.2e-16);
    }
}

/* ---- the curve (Morton 1966) ---- */

static uint64_t cdi_curve_step(double x, double reach) {
    return reach > 0.0
               ? (uint64_t)cdi_spread_bits((uint32_t)cdi_clamp((x / reach + 1.0) * 1048575.5, 0.0, 2097151.0))
               : 0;
}

static uint64_t cdi_curve_code(const cdi_cloud *c, cdi_v3 p) {
    cdi_v3 v = cdi_v3_sub(p, c->middle);
    return cdi_curve_step(v.x, c->reach.x) << 2 | cdi_curve_step(v.y, c->reach.y) << 1 |
           cdi_curve_step(v.z, c->reach.z);
}

/* ---- sorting ---- */

/* By place alone, axis after axis: 0 for equal points. Of two sums the one with the larger `high` is larger. */
static int cdi_compare_places(const cdi_cloud_input *in, uint32_t a, uint32_t b) {
    cdi_v3 p = cdi_cloud_input_at(in, a), q = cdi_cloud_input_at(in, b);
    for (int k = 0; k < 3; ++k) {
        double x = cdi_v3_get(p, k), y = cdi_v3_get(q, k);
        if (x == y && in->low) {
            x = cdi_v3_get(in->low[a], k);
            y = cdi_v3_get(in->low[b], k);
        }
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static bool cdi_key_before(const cdi_cloud_input *in, cdi_cloud_key a, cdi_cloud_key b) {
    int order = cdi_compare_places(in, a.source, b.source);
    return order ? order < 0 : a.source < b.source;
}

/* Lets keys[root] sink where it belongs in the heap (Williams 1964; Floyd 1964). */
static void cdi_key_sink(const cdi_cloud_input *in, cdi_cloud_key *keys, uint32_t root, uint32_t count) {
    cdi_cloud_key key = keys[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && cdi_key_before(in, keys[child], keys[child + 1])) ++child;
        if (!cdi_key_before(in, key, keys[child])) break;
        keys[root] = keys[child];
    }
    keys[root] = key;
}

/* Sorts keys with the same code. */
static void cdi_sort_run(const cdi_cloud_input *in, cdi_cloud_key *keys, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) cdi_key_sink(in, keys, i, count);
    for (uint32_t last = count; last-- > 1;) {
        cdi_cloud_key top = keys[0];
        keys[0] = keys[last];
        keys[last] = top;
        cdi_key_sink(in, keys, 0, last);
    }
}

enum { CDI_DIGIT_BITS = 9, CDI_DIGITS = 7, CDI_DIGIT_VALUES = 1 << CDI_DIGIT_BITS };

/* Moves the keys from `from` to `to` in the order of one digit; false, with nothing moved, when all have the same. */
static bool cdi_sort_digit(const cdi_cloud_key *from, cdi_cloud_key *to, uint32_t count, int shift) {
    uint32_t start[CDI_DIGIT_VALUES], sum = 0;
    cdi_clear(start, sizeof start);
    for (uint32_t i = 0; i < count; ++i) ++start[from[i].code >> shift & (CDI_DIGIT_VALUES - 1)];
    if (start[from[0].code >> shift & (CDI_DIGIT_VALUES - 1)] == count) return false;
    for (int v = 0; v < CDI_DIGIT_VALUES; ++v) {
        uint32_t n = start[v];
        start[v] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; ++i)
        to[start[from[i].code >> shift & (CDI_DIGIT_VALUES - 1)]++] = from[i];
    return true;
}

/* Sorts by code, then place, then number; the answer is in one of the two arrays. */
static cdi_cloud_key *cdi_sort_keys(const cdi_cloud_input *in, cdi_cloud_key *keys, cdi_cloud_key *other,
                                    uint32_t count) {
    for (int digit = 0; digit < CDI_DIGITS; ++digit) {
        if (cdi_sort_digit(keys, other, count, digit * CDI_DIGIT_BITS)) {
            cdi_cloud_key *t = keys;
            keys = other;
            other = t;
        }
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].code == keys[i].code; ++end) {}
        if (end - i > 1) cdi_sort_run(in, keys + i, end - i);
    }
    return keys;
}

/* ---- putting it together ---- */

/* The first of equal points has the smallest number. */
static void cdi_cloud_take(cdi_cloud *c, const cdi_cloud_key *keys, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t source = keys[i].source;
        cdi_cloud_point *p = &c->point[c->count];
        cdi_v3 v;
        if (i > 0 && keys[i].code == keys[i - 1].code &&
            cdi_compare_places(&c->input, source, keys[i - 1].source) == 0)
            continue;
        v = cdi_v3_sub(cdi_cloud_input_at(&c->input, source), c->middle);
        p->x = v.x;
        p->y = v.y;
        p->z = v.z;
        p->source = source;
        p->next = CD_NONE;
        ++c->count;
    }
}

CDI_FN cd_status cdi_cloud_arrange(cdi_cloud *cloud, const cdi_cloud_input *input, const uint32_t *chosen,
                                   uint32_t count, const cd_allocator *allocator) {
    cdi_cloud_key *keys;
    bool complete;
    cdi_clear(cloud, sizeof *cloud);
    cloud->input = *input;
    if (count == 0) return CD_OK;
    keys = (cdi_cloud_key *)cdi_alloc(allocator, 2 * (size_t)count, sizeof *keys);
    cloud->room = count + 1;
    cloud->point = (cdi_cloud_point *)cdi_alloc(allocator, cloud->room, sizeof *cloud->point);
    complete = keys && cloud->point;
    if (complete) {
        cdi_cloud_frame(cloud, chosen, count);
        for (uint32_t i = 0; i < count; ++i) {
            keys[i].source = chosen ? chosen[i] : i;
            keys[i].code = cdi_curve_code(cloud, cdi_cloud_input_at(input, keys[i].source));
        }
        cdi_cloud_take(cloud, cdi_sort_keys(input, keys, keys + count, count), count);
    }
    cdi_free(allocator, keys, 2 * (size_t)count, sizeof *keys);
    if (complete) return CD_OK;
    cdi_cloud_free(cloud, allocator);
    return CD_OUT_OF_MEMORY;
}

CDI_FN bool cdi_cloud_before(const cdi_cloud *cloud, uint32_t a, uint32_t b) {
    return cdi_compare_places(&cloud->input, cloud->point[a].source, cloud->point[b].source) < 0;
}

CDI_FN void cdi_cloud_free(cdi_cloud *cloud, const cd_allocator *allocator) {
    cdi_free(allocator, cloud->point, cloud->room, sizeof *cloud->point);
    cdi_clear(cloud, sizeof *cloud);
}
