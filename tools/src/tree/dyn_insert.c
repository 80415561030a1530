#include "tree/dyn_insert.h"

#define CDI_SHARED_MOST 10u

/* ---- cutting in two ---- */

/* Entries in an order, and what it costs to cut it. */
typedef struct cdi_dyn_cut {
    uint32_t order[CDI_SHARED_MOST], first; /* how many go to the first node */
    double cost;
} cdi_dyn_cut;

/* By their middles; of equal ones the earlier comes first. */
static void cdi_dyn_sort(const cdi_dyn_entry *e, uint32_t count, int axis, uint32_t *order) {
    for (uint32_t i = 0; i < count; ++i) {
        double middle = (double)e[i].box.lo[axis] + (double)e[i].box.hi[axis];
        uint32_t at = i;
        for (; at > 0; --at) {
            const cdi_dyn_box *b = &e[order[at - 1]].box;
            if ((double)b->lo[axis] + (double)b->hi[axis] <= middle) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* The areas around the first 1, 2, ... entries; or, from the end, the last. */
static void cdi_dyn_areas(const cdi_dyn_entry *e, const uint32_t *order, uint32_t count, bool last,
                          double *area) {
    cdi_dyn_box b = e[order[last ? count - 1 : 0]].box;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_dyn_grow(&b, &e[order[last ? count - 1 - i : i]].box);
        area[i] = cdi_dyn_area(&b);
    }
}

static void cdi_dyn_try_axis(const cdi_dyn_entry *e, uint32_t count, int axis, cdi_dyn_cut *best) {
    double left[CDI_SHARED_MOST], right[CDI_SHARED_MOST];
    cdi_dyn_cut cut;
    bool better = false;
    cdi_dyn_sort(e, count, axis, cut.order);
    cdi_dyn_areas(e, cut.order, count, false, left);
    cdi_dyn_areas(e, cut.order, count, true, right);
    cut.cost = best->cost;
    for (uint32_t n = CDI_DYN_LEAST; n <= count - CDI_DYN_LEAST; ++n) {
        double cost = left[n - 1] * (double)n + right[count - n - 1] * (double)(count - n);
        if (!(cost < cut.cost)) continue;
        cut.cost = cost;
        cut.first = n;
        better = true;
    }
    if (better) *best = cut;
}

CDI_FN void cdi_dyn_share(cd_dyntree *t, const cdi_dyn_entry *e, uint32_t count, uint32_t a, uint32_t b) {
    cdi_dyn_cut best;
    best.cost = CDI_HUGE;
    best.first = 0;
    CDI_COUNT(build);
    for (int axis = 0; axis < 3; ++axis) cdi_dyn_try_axis(e, count, axis, &best);
    for (uint32_t i = 0; i < count; ++i) cdi_dyn_append(t, i < best.first ? a : b, &e[best.order[i]]);
}

/* All entries of a node, which is left without any. Answers how many. */
static uint32_t cdi_dyn_pour(cd_dyntree *t, uint32_t number, cdi_dyn_entry *e) {
    uint32_t width = cdi_dyn_width(cdi_dyn_node(t, number));
    for (uint32_t i = 0; i < width; ++i) e[i] = cdi_dyn_get(t, number, i);
    while (cdi_dyn_node(t, number)->lanes)
        cdi_dyn_drop(t, number, cdi_dyn_width(cdi_dyn_node(t, number)) - 1);
    return width;
}

/* A full node and one entry more become two nodes; answers the new one. */
static uint32_t cdi_dyn_split(cd_dyntree *t, uint32_t number, const cdi_dyn_entry *more) {
    cdi_dyn_entry e[CDI_SHARED_MOST];
    uint32_t count = cdi_dyn_pour(t, number, e), other = cdi_dyn_take(t, cdi_dyn_node(t, number)->height);
    e[count++] = *more;
    cdi_dyn_share(t, e, count, number, other);
    return other;
}

/* ---- in ---- */

/* What a box adds to the area of a lane's, and that area. */
static double cdi_dyn_growth(const cdi_bvh_node *n, uint32_t lane, const cdi_dyn_box *box, double *area) {
    cdi_dyn_box b = cdi_dyn_lane(n, lane);
    *area = cdi_dyn_area(&b);
    cdi_dyn_grow(&b, box);
    return cdi_dyn_area(&b) - *area;
}

/* The lane that grows least, but for `but`; of equal ones the smaller, and then the first. */
static uint32_t cdi_dyn_choose(const cdi_bvh_node *n, const cdi_dyn_box *box, uint32_t but) {
    uint32_t width = cdi_dyn_width(n), best = CD_NONE;
    double least = 0.0, smallest = 0.0;
    CDI_COUNT(build);
    for (uint32_t i = 0; i < width; ++i) {
        double area, growth = cdi_dyn_growth(n, i, box, &area);
        if (i == but) continue;
        if (best != CD_NONE && (growth > least || (growth == least && area >= smallest))) continue;
        best = i;
        least = growth;
        smallest = area;
    }
    return best;
}

/* The root is full, and another node beside it: it becomes the parent of both. */
static void cdi_dyn_raise(cd_dyntree *t, uint32_t root, uint32_t other) {
    cdi_dyn_entry e[CDI_SHARED_MOST];
    uint32_t count = cdi_dyn_pour(t, root, e), height = cdi_dyn_node(t, root)->height;
    uint32_t own = cdi_dyn_take(t, height);
    for (uint32_t i = 0; i < count; ++i) cdi_dyn_append(t, own, &e[i]);
    cdi_dyn_node(t, root)->height = height + 1;
    e[0] = cdi_dyn_entry_of(t, own);
    e[1] = cdi_dyn_entry_of(t, other);
    cdi_dyn_append(t, root, &e[0]);
    cdi_dyn_append(t, root, &e[1]);
}

CDI_FN void cdi_dyn_insert(cd_dyntree *t, uint32_t root, uint32_t height, const cdi_dyn_entry *e) {
    uint32_t number = root;
    cdi_dyn_entry entry = *e;
    while (cdi_dyn_node(t, number)->height > height)
        number = cdi_dyn_node(t, number)->child[cdi_dyn_choose(cdi_dyn_node(t, number), &e->box, CD_NONE)];
    while (cdi_dyn_node(t, number)->lanes == 255u) {
        uint32_t other = cdi_dyn_split(t, number, &entry);
        if (cdi_dyn_node(t, number)->parent == CD_NONE) {
            cdi_dyn_raise(t, number, other);
            return;
        }
        (void)cdi_dyn_tell(t, number);
        entry = cdi_dyn_entry_of(t, other);
        number = cdi_dyn_node(t, number)->parent >> 3;
    }
    cdi_dyn_append(t, number, &entry);
    cdi_dyn_tell_all(t, number);
}

/* ---- out ---- */

/* A root with one child takes its place. */
static void cdi_dyn_lower(cd_dyntree *t, uint32_t root) {
    cdi_dyn_entry e[8];
    uint32_t child = cdi_dyn_node(t, root)->child[0], count = cdi_dyn_pour(t, child, e);
    cdi_dyn_drop(t, root, 0);
    cdi_dyn_node(t, root)->height = cdi_dyn_node(t, child)->height;
    for (uint32_t i = 0; i < count; ++i) cdi_dyn_append(t, root, &e[i]);
    cdi_dyn_give_back(t, child);
}

/* A poor node and the neighbour that would grow least become one, or two that are not poor. Answers whether their parent has a
 * child less. */
static bool cdi_dyn_mend(cd_dyntree *t, uint32_t number) {
    cdi_dyn_entry e[CDI_SHARED_MOST];
    uint32_t place = cdi_dyn_node(t, number)->parent, parent = place >> 3, count, other;
    cdi_dyn_box box = cdi_dyn_bounds(cdi_dyn_node(t, number));
    other = cdi_dyn_node(t, parent)->child[cdi_dyn_choose(cdi_dyn_node(t, parent), &box, place & 7u)];
    count = cdi_dyn_pour(t, number, e);
    if (count + cdi_dyn_width(cdi_dyn_node(t, other)) <= 8) {
        for (uint32_t i = 0; i < count; ++i) cdi_dyn_append(t, other, &e[i]);
        (void)cdi_dyn_tell(t, other);
        cdi_dyn_drop(t, parent, place & 7u);
        cdi_dyn_give_back(t, number);
        return true;
    }
    count += cdi_dyn_pour(t, other, e + count);
    cdi_dyn_share(t, e, count, number, other);
    (void)cdi_dyn_tell(t, number);
    (void)cdi_dyn_tell(t, other);
    return false;
}

CDI_FN void cdi_dyn_remove(cd_dyntree *t, uint32_t place) {
    uint32_t number = place >> 3;
    cdi_dyn_drop(t, number, place & 7u);
    while (cdi_dyn_node(t, number)->parent != CD_NONE &&
           cdi_dyn_width(cdi_dyn_node(t, number)) < CDI_DYN_LEAST) {
        uint32_t parent = cdi_dyn_node(t, number)->parent >> 3;
        bool fewer = cdi_dyn_mend(t, number);
        number = parent;
        if (!fewer) break;
    }
    cdi_dyn_tell_all(t, number);
    if (cdi_dyn_node(t, 0)->height && cdi_dyn_width(cdi_dyn_node(t, 0)) == 1) cdi_dyn_lower(t, 0);
}

#undef CDI_SHARED_MOST
