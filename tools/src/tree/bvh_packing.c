#include "tree/bvh_packing.h"
#include "tree/bvh_build.h"

/* ---- which nodes of the binary tree become nodes of eight ----
 *
 * The cheapest choice, in time and room, by dynamic programming (Ylitie, Karras and Laine 2017): cost[j - 1] is that of a
 * subtree as a forest of at most j trees, each a leaf or a node of up to `most` children. */

/* Costs in units of the test of a triangle that every ray meets: a node that it meets, and the room of a node, for each
 * item there is. */
#define CDI_PACKED_NODE_COST 5.0
#define CDI_PACKED_ROOM_COST 40.0

/* A choice: in three bits for each j from 2 to 8, how many of j trees are in the left half; a bit for each j, whether j are
 * better than fewer; and whether a single one is better a node than a leaf. */
#define CDI_CHOICE_MORE 21u
#define CDI_CHOICE_NODE 28u

typedef struct cdi_forest {
    double cost[8];
    uint32_t items;
} cdi_forest;

static uint32_t cdi_choice_left(uint32_t choice, uint32_t j) {
    return choice >> (3 * (j - 2)) & 7u;
}

static cdi_forest cdi_forest_of_leaf(const cdi_packing *p, uint32_t slot, double unit) {
    const cdi_binary_node *n = &p->b->node[slot];
    cdi_forest f;
    f.items = n->count;
    for (int j = 0; j < 8; ++j) f.cost[j] = cdi_box_area(&n->box) * unit * (double)n->count;
    return f;
}

/* The cheapest way to part j trees among two halves. */
static double cdi_part_forest(const cdi_forest *left, const cdi_forest *right, uint32_t j, uint32_t *choice) {
    uint32_t best = 1;
    double least = left->cost[0] + right->cost[j - 2];
    for (uint32_t k = 2; k < j; ++k) {
        double cost = left->cost[k - 1] + right->cost[j - k - 1];
        if (!(cost < least)) continue;
        best = k;
        least = cost;
    }
    *choice |= best << (3 * (j - 2));
    return least;
}

/* Two halves joined, at `slot`. */
static void cdi_join_forests(const cdi_packing *p, uint32_t slot, double unit, cdi_forest *left,
                             const cdi_forest *right) {
    uint32_t choice = 0, leaf_most = p->b->options->leaf_size;
    double area = cdi_box_area(&p->b->node[slot].box) * unit, part[9];
    cdi_forest both;
    both.items = left->items + right->items;
    for (uint32_t j = 2; j <= 8; ++j) part[j] = cdi_part_forest(left, right, j, &choice);
    both.cost[0] = area * CDI_PACKED_NODE_COST + CDI_PACKED_ROOM_COST / (double)p->b->count + part[p->most];
    if (leaf_most == 0 || leaf_most > CDI_PACKED_LEAF) leaf_most = CDI_PACKED_LEAF;
    if (both.items <= leaf_most && area * (double)both.items <= both.cost[0]) {
        both.cost[0] = area * (double)both.items;
    } else {
        choice |= 1u << CDI_CHOICE_NODE;
    }
    for (uint32_t j = 2; j <= 8; ++j) {
        bool more = part[j] < both.cost[j - 2];
        both.cost[j - 1] = more ? part[j] : both.cost[j - 2];
        if (more) choice |= 1u << (CDI_CHOICE_MORE + j - 2);
    }
    p->choice[slot] = choice;
    *left = both;
}

/* Leaves up to the root. */
static void cdi_choose(const cdi_packing *p) {
    struct {
        uint32_t slot, done;
    } path[CDI_BINARY_DEPTH + 6u];
    cdi_forest forest[CDI_BINARY_DEPTH + 7u];
    double root = cdi_box_area(&p->b->node[0].box), unit = root > 0.0 ? 1.0 / root : 1.0;
    uint32_t length = 1, count = 0;
    path[0].slot = path[0].done = 0;
    while (length > 0) {
        uint32_t slot = path[length - 1].slot, done = path[length - 1].done++;
        const cdi_binary_node *n = &p->b->node[slot];
        if (n->count) {
            cdi_forest leaf = cdi_forest_of_leaf(p, slot, unit);
            forest[count++] = leaf;
            p->choice[slot] = 0;
        } else if (done < 2) {
            path[length].slot = done ? n->next : slot + 1;
            path[length++].done = 0;
            continue;
        } else {
            --count;
            cdi_join_forests(p, slot, unit, &forest[count - 1], &forest[count]);
        }
        --length;
    }
}

static bool cdi_is_leaf_slot(const cdi_packing *p, uint32_t slot) {
    return !(p->choice[slot] >> CDI_CHOICE_NODE & 1u);
}

/* The items of a leaf: the run of all leaves of the canonical tree in it. */
static uint32_t cdi_leaf_run(const cdi_builder *b, uint32_t slot, uint32_t *first) {
    uint32_t last = slot;
    while (!b->node[slot].count) ++slot;
    while (!b->node[last].count) last = b->node[last].next;
    *first = b->node[slot].next;
    return b->node[last].next + b->node[last].count - *first;
}

/* The children of the node at `slot`, in order; of a leaf, which only the root may be, itself. */
static uint32_t cdi_packed_children(const cdi_packing *p, uint32_t slot, uint32_t child[8]) {
    struct {
        uint32_t slot, trees;
    } todo[9];
    uint32_t todo_count = 1, count = 0;
    todo[0].slot = slot;
    todo[0].trees = cdi_is_leaf_slot(p, slot) ? 1 : p->most;
    while (todo_count > 0) {
        uint32_t at = todo[--todo_count].slot, j = todo[todo_count].trees, choice = p->choice[at];
        while (j > 1 && at != slot && !(choice >> (CDI_CHOICE_MORE + j - 2) & 1u)) --j;
        if (j == 1) {
            child[count++] = at;
            continue;
        }
        todo[todo_count].slot = p->b->node[at].next;
        todo[todo_count++].trees = j - cdi_choice_left(choice, j);
        todo[todo_count].slot = at + 1;
        todo[todo_count++].trees = cdi_choice_left(choice, j);
    }
    return count;
}

/* Longer leaves are halved. */
static void cdi_halve_leaves(const cdi_builder *b) {
    uint32_t todo[CDI_BINARY_DEPTH + 1];
    cd_bvh_options options = *b->options;
    cdi_builder halving = *b;
    uint32_t count = 1;
    options.leaf_extent = 0;
    halving.options = &options;
    halving.leaf_size = CDI_PACKED_LEAF;
    todo[0] = 0;
    while (count > 0) {
        uint32_t slot = todo[--count];
        const cdi_binary_node *n = &b->node[slot];
        if (n->count > CDI_PACKED_LEAF) {
            cdi_range r;
            cdi_clear(&r, sizeof r);
            r.first = n->next;
            r.count = n->count;
            r.slot = slot;
            r.box = n->box;
            cdi_build_halved(&halving, &r);
        } else if (!n->count) {
            todo[count++] = n->next;
            todo[count++] = slot + 1;
        }
    }
}

/* ---- nodes ---- */

/* A box on the grid of 2^-22, whose lines are counted from -1. */
typedef struct cdi_grid_box {
    int32_t lo[3], hi[3];
} cdi_grid_box;

/* A binary subtree to become node `number`, which has that box. */
typedef struct cdi_packing_step {
    uint32_t slot, number, depth, waiting;
    cdi_grid_box box;
} cdi_packing_step;

#define CDI_PACKING_STACK (7u * CDI_BINARY_DEPTH + 50u)
#define CDI_UNIT_BEGINS   0x80000000u /* in `place`, at the first item of a node's leaves */

static cdi_grid_box cdi_grid_box_of(const cdi_frame *f, const cdi_box *box) {
    cdi_grid_box g;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)cdi_float_down(cdi_frame_in(f, k, (double)box->v[k])) * CDI_PACKED_GRID;
        double hi = (double)cdi_float_up(cdi_frame_in(f, k, -(double)box->v[4 + k])) * CDI_PACKED_GRID;
        g.lo[k] = (int32_t)lo - ((double)(int32_t)lo > lo ? 1 : 0) + (int32_t)CDI_PACKED_GRID;
        g.hi[k] = (int32_t)hi + ((double)(int32_t)hi < hi ? 1 : 0) + (int32_t)CDI_PACKED_GRID;
    }
    return g;
}

/* How many doublings apart the lines of a box are. */
static uint32_t cdi_grid_shift(const cdi_grid_box *box, int k) {
    uint32_t s = 0;
    while (box->hi[k] - box->lo[k] > 255 << s) ++s;
    return s;
}

/* Lane i: a box inside that of the node, which is rounded outward to the node's lines. */
static void cdi_write_lane(cdi_bvh_packed_node *node, uint32_t i, const cdi_grid_box *own,
                           cdi_grid_box *box) {
    for (int k = 0; k < 3; ++k) {
        uint32_t s = cdi_grid_shift(own, k);
        int32_t lo = (box->lo[k] - own->lo[k]) >> s;
        int32_t hi = (box->hi[k] - own->lo[k] + (1 << s) - 1) >> s;
        box->lo[k] = own->lo[k] + (lo << s);
        box->hi[k] = own->lo[k] + (hi << s);
        node->lo[k][i] = (uint8_t)lo;
        node->hi[k][i] = (uint8_t)hi;
    }
}

/* The head of a node. Its first item's number is set when clusters are known. */
static cdi_bvh_packed_node *cdi_write_packed(const cdi_packing *p, const cdi_packing_step *at,
                                             uint32_t width) {
    cdi_bvh_packed_node *node = p->nodes ? p->nodes + at->number : NULL;
    if (!node) return NULL;
    for (int k = 0; k < 3; ++k)
        node->place[k] = (uint32_t)at->box.lo[k] | (105u + cdi_grid_shift(&at->box, k)) << 23 |
                         ((width - 1u) >> k & 1u) << 31; /* 2^-22 is 105 - 127 */
    node->child = p->nodes_given;
    node->item = p->items_given;
    return node;
}

/* Takes the items of a leaf, in the lane of a node. */
static void cdi_take_leaf(cdi_packing *p, uint32_t slot, bool begins, uint32_t lane,
                          cdi_bvh_packed_node *node) {
    uint32_t first, count = cdi_leaf_run(p->b, slot, &first);
    for (uint32_t k = 0; k < count; ++k) p->place[p->items_given + k] = first + k;
    if (begins) p->place[p->items_given] |= CDI_UNIT_BEGINS;
    p->items_given += count;
    if (node) node->counts |= count << (4 * lane);
}

/* Numbers the nodes as in the quantised layout, and writes them unless they are only counted. */
static void cdi_pack_nodes(cdi_packing *p) {
    cdi_packing_step todo[CDI_PACKING_STACK];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[0].box = cdi_grid_box_of(&p->header->frame, &p->b->node[0].box);
    p->nodes_given = 1;
    p->items_given = p->waiting = p->header->depth = 0;
    while (todo_count > 0) {
        cdi_packing_step at = todo[--todo_count];
        uint32_t child[8], width = cdi_packed_children(p, at.slot, child), items = p->items_given, nodes;
        cdi_bvh_packed_node *node = cdi_write_packed(p, &at, width);
        if (p->header->depth < at.depth + 1) p->header->depth = at.depth + 1;
        if (p->waiting < at.waiting) p->waiting = at.waiting;
        for (uint32_t i = 0; i < width; ++i) {
            if (!cdi_is_leaf_slot(p, child[i])) {
                ++p->nodes_given;
            } else {
                cdi_take_leaf(p, child[i], p->items_given == items, i, node);
            }
        }
        nodes = p->nodes_given;
        for (uint32_t i = width; i-- > 0;) {
            cdi_packing_step *next = &todo[todo_count];
            if (node) {
                next->box = cdi_grid_box_of(&p->header->frame, &p->b->node[child[i]].box);
                cdi_write_lane(node, i, &at.box, &next->box);
            }
            if (cdi_is_leaf_slot(p, child[i])) continue;
            next->slot = child[i];
            next->number = --nodes;
            next->depth = at.depth + 1;
            next->waiting = at.waiting + width - 1;
            ++todo_count;
        }
    }
}

/* ---- clusters ---- */

#define CDI_PACKING_ITEMS   (CDI_PACKED_ITEMS + 8u * CDI_PACKED_LEAF)
#define CDI_PACKING_CORNERS (CDI_PACKED_CORNERS + 24u * CDI_PACKED_LEAF)
#define CDI_PACKING_SLOTS   1024u

/* Corners by the order in which they come up, and the numbers of each item's: those of a cluster, and of one node more. */
typedef struct cdi_packing_set {
    cd_vec3 corner[CDI_PACKING_CORNERS];
    uint16_t number[3 * CDI_PACKING_ITEMS];
    uint16_t slot[CDI_PACKING_SLOTS]; /* one more than the number of a corner; 0: none */
    uint32_t corners, items;
} cdi_packing_set;

static cd_real cdi_packing_coordinate(const cdi_packing_set *s, uint32_t i, int axis) {
    const cd_vec3 *v = &s->corner[i];
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static void cdi_packing_clear(cdi_packing_set *s) {
    cdi_clear(s->slot, sizeof s->slot);
    s->corners = s->items = 0;
}

static bool cdi_packing_same(cd_vec3 a, cd_vec3 b) {
    return cdi_bits_of_real(a.x) == cdi_bits_of_real(b.x) && cdi_bits_of_real(a.y) == cdi_bits_of_real(b.y) &&
           cdi_bits_of_real(a.z) == cdi_bits_of_real(b.z);
}

static uint32_t cdi_packing_hash(cd_vec3 v) {
    uint64_t h = (uint64_t)cdi_bits_of_real(v.x) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 29 ^ (uint64_t)cdi_bits_of_real(v.y)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 32 ^ (uint64_t)cdi_bits_of_real(v.z)) * 0x94D049BB133111EBu;
    return (uint32_t)(h >> 40);
}

static uint16_t cdi_packing_number(cdi_packing_set *s, cd_vec3 v) {
    uint32_t at = cdi_packing_hash(v) % CDI_PACKING_SLOTS;
    while (s->slot[at] && !cdi_packing_same(s->corner[s->slot[at] - 1u], v))
        at = (at + 1) % CDI_PACKING_SLOTS;
    if (!s->slot[at]) {
        s->corner[s->corners++] = v;
        s->slot[at] = (uint16_t)s->corners;
    }
    return (uint16_t)(s->slot[at] - 1u);
}

static uint32_t cdi_packing_item(const cdi_packing *p, uint32_t place) {
    return p->b->order[p->place[place] & ~CDI_UNIT_BEGINS];
}

static void cdi_packing_add(const cdi_packing *p, uint32_t place) {
    cdi_packing_set *s = p->set;
    cd_triangle t = cdi_source_triangle(&p->b->source, cdi_packing_item(p, place));
    uint16_t *number = s->number + 3 * s->items++;
    number[0] = cdi_packing_number(s, t.a);
    number[1] = cdi_packing_number(s, t.b);
    number[2] = cdi_packing_number(s, t.c);
}

/* The exponent of the lowest bit of a number that is not 0. */
static int cdi_lowest_exponent(double x) {
    uint64_t bits = cdi_bits(x), digits = bits & 0xFFFFFFFFFFFFFu;
    int e = (int)(bits >> 52 & 0x7FFu);
    if (e) digits |= (uint64_t)1 << 52;
    return (e ? e : 1) - 1075 + (int)cdi_lowest_bit64(digits);
}

/* How the coordinates on an axis are kept. */
static void cdi_pack_axis(cdi_bvh_cluster *c, const cdi_packing_set *s, int axis) {
    double least = CDI_HUGE, most = -CDI_HUGE, steps;
    int lowest = 1024;
    bool minus = false;
    for (uint32_t i = 0; i < c->corners; ++i) {
        double x = (double)cdi_packing_coordinate(s, i, axis);
        least = cdi_min(least, x);
        most = cdi_max(most, x);
        minus = minus || cdi_bits(x) == (uint64_t)1 << 63;
        if (x != 0.0 && cdi_lowest_exponent(x) < lowest) lowest = cdi_lowest_exponent(x);
    }
    steps = lowest < 1024 ? cdi_scale2(most - least, -lowest) : 0.0;
    c->size[axis] = (uint8_t)sizeof(cd_real);
    if (minus || !(steps < (sizeof(cd_real) == 4 ? 16777216.0 : 4503599627370496.0))) return;
    for (c->size[axis] = 0; steps >= 1.0; steps *= 0.00390625) ++c->size[axis];
    c->least[axis] = (cd_real)least;
    c->step[axis] = lowest < 1024 ? (cd_real)cdi_scale2(1.0, lowest) : (cd_real)1;
}

/* The numbers below a coordinate, lowest byte first. */
static unsigned char *cdi_write_coordinate(const cdi_bvh_cluster *c, int axis, cd_real x, unsigned char *at) {
    uint64_t n = cdi_bits_of_real(x);
    if (c->size[axis] < sizeof x)
        n = (uint64_t)(int64_t)(((double)x - (double)c->least[axis]) / (double)c->step[axis]);
    for (uint32_t i = 0; i < c->size[axis]; ++i, n >>= 8) *at++ = (unsigned char)(n & 255u);
    return at;
}

static void cdi_write_indices(const cdi_packing *p, const cdi_bvh_cluster *c, unsigned char *at) {
    for (uint32_t i = 0, bit = 0; i < c->items; ++i, bit += c->index_bits) {
        uint32_t index = cdi_source_index(&p->b->source, cdi_packing_item(p, c->first + i));
        uint64_t n = (uint64_t)(index - c->index) << (bit & 7u);
        for (unsigned char *to = at + bit / 8; n; n >>= 8) *to++ |= (unsigned char)(n & 255u);
    }
}

static void cdi_write_cluster(const cdi_packing *p, const cdi_bvh_cluster *c) {
    unsigned char *base = p->bytes + 8 * (size_t)c->offset, *at = base;
    for (uint32_t i = 0; i < 3u * c->items; ++i) *at++ = (unsigned char)p->set->number[i];
    for (uint32_t i = 0; i < c->corners; ++i) {
        for (int k = 0; k < 3; ++k) at = cdi_write_coordinate(c, k, cdi_packing_coordinate(p->set, i, k), at);
    }
    cdi_write_indices(p, c, base + cdi_cluster_indices(c));
}

static void cdi_measure_indices(const cdi_packing *p, cdi_bvh_cluster *c) {
    uint32_t most = 0;
    c->index = CD_NONE;
    for (uint32_t i = 0; i < c->items; ++i) {
        uint32_t index = cdi_source_index(&p->b->source, cdi_packing_item(p, c->first + i));
        if (index < c->index) c->index = index;
        if (index > most) most = index;
    }
    for (most -= c->index; most; most >>= 1) ++c->index_bits;
}

/* The next cluster: of so many items and corners of the set. */
static void cdi_close_cluster(cdi_packing *p, uint32_t first, uint32_t items, uint32_t corners) {
    cdi_bvh_header *h = p->header;
    cdi_bvh_cluster c;
    cdi_clear(&c, sizeof c);
    c.first = first;
    c.items = (uint16_t)items;
    c.corners = (uint16_t)corners;
    c.offset = h->cluster_bytes;
    for (int k = 0; k < 3; ++k) cdi_pack_axis(&c, p->set, k);
    cdi_measure_indices(p, &c);
    if (p->clusters) {
        p->clusters[h->cluster_count] = c;
        cdi_write_cluster(p, &c);
    }
    ++h->cluster_count;
    h->cluster_bytes += cdi_cluster_length(&c);
}

/* The leaves of a node come into the cluster under way, or begin one. */
static void cdi_pack_clusters(cdi_packing *p) {
    uint32_t first = 0, count = p->b->count;
    p->header->cluster_count = p->header->cluster_bytes = 0;
    cdi_packing_clear(p->set);
    for (uint32_t i = 0; i < count;) {
        uint32_t items = p->set->items, corners = p->set->corners, end = i;
        do cdi_packing_add(p, end++);
        while (end < count && !(p->place[end] & CDI_UNIT_BEGINS));
        if (p->set->corners > CDI_PACKED_CORNERS || p->set->items > CDI_PACKED_ITEMS) {
            cdi_close_cluster(p, first, items, corners);
            cdi_packing_clear(p->set);
            first = i;
        } else {
            i = end;
        }
    }
    cdi_close_cluster(p, first, p->set->items, p->set->corners);
}

/* The numbers of the nodes' first items, which were their ranks. */
static void cdi_number_items(const cdi_packing *p) {
    for (uint32_t n = 0; n < p->header->node_count; ++n) {
        cdi_bvh_packed_node *node = p->nodes + n;
        uint32_t lo = 0, hi = p->header->cluster_count;
        while (hi - lo > 1) {
            uint32_t middle = lo + (hi - lo) / 2;
            if (p->clusters[middle].first <= node->item) {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        node->item = node->counts ? lo * CDI_PACKED_ITEMS + (node->item - p->clusters[lo].first) : 0;
    }
}

/* ---- the whole ---- */

CDI_FN bool cdi_packing_begin(cdi_packing *p, const cdi_builder *b, cdi_bvh_header *header) {
    cdi_clear(p, sizeof *p);
    p->b = b;
    p->header = header;
    p->choice = (uint32_t *)cdi_alloc(&b->allocator, 2 * (size_t)b->count, sizeof *p->choice);
    p->place = (uint32_t *)cdi_alloc(&b->allocator, b->count, sizeof *p->place);
    p->set = (cdi_packing_set *)cdi_alloc(&b->allocator, 1, sizeof *p->set);
    if (!p->choice || !p->place || !p->set) return false;
    cdi_halve_leaves(b);
    p->most = 9;
    do {
        --p->most;
        cdi_choose(p);
        cdi_pack_nodes(p);
    } while (p->waiting > CDI_BVH_WAITING);
    header->node_count = p->nodes_given;
    cdi_pack_clusters(p);
    return true;
}

CDI_FN void cdi_packing_write(cdi_packing *p, unsigned char *at) {
    cdi_clear(at, (size_t)(p->header->bytes - sizeof *p->header));
    p->nodes = (cdi_bvh_packed_node *)(void *)at;
    at += p->header->node_count * sizeof *p->nodes;
    p->clusters = (cdi_bvh_cluster *)(void *)at;
    p->bytes = at + p->header->cluster_count * sizeof *p->clusters;
    cdi_pack_nodes(p);
    cdi_pack_clusters(p);
    cdi_number_items(p);
    for (uint32_t i = 0; i < p->b->count; ++i) p->place[i] &= ~CDI_UNIT_BEGINS;
}

CDI_FN void cdi_packing_end(cdi_packing *p) {
    cdi_free(&p->b->allocator, p->set, 1, sizeof *p->set);
    cdi_free(&p->b->allocator, p->place, p->b->count, sizeof *p->place);
    cdi_free(&p->b->allocator, p->choice, 2 * (size_t)p->b->count, sizeof *p->choice);
}

#undef CDI_PACKED_NODE_COST
#undef CDI_PACKED_ROOM_COST
#undef CDI_CHOICE_MORE
#undef CDI_CHOICE_NODE
#undef CDI_PACKING_STACK
#undef CDI_UNIT_BEGINS
#undef CDI_PACKING_ITEMS
#undef CDI_PACKING_CORNERS
#undef CDI_PACKING_SLOTS
