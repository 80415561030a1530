#include "tree/joining.h"
#include "tree/keys.h"
#include "tree/links.h"

#define CDI_JOIN_MOST   2048u /* clusters of which the nearest pair of all is joined */
#define CDI_JOIN_PIECE  256u  /* else this many, a piece of the curve */
#define CDI_JOIN_RADIUS 16u   /* steps along the curve in which near-linear looks for a partner */
#define CDI_JOIN_WIDTH  16u   /* the most in a cluster */

/* What a cluster keeps while it is joined. */
typedef struct cdi_joined {
    double measure;   /* of the box around it and its partner */
    uint32_t link;    /* its tree; CD_NONE: it is gone */
    uint32_t partner; /* a place */
    uint32_t queue;   /* bottom-up: what stands here in the queue */
    uint32_t live;    /* bottom-up: what stands here among those that are not gone */
    uint32_t is_free; /* clusters: 1 when it may still be taken in this round */
} cdi_joined;

typedef struct cdi_joining {
    cdi_links links;
    cdi_joined *cluster; /* in their order along the curve */
    uint32_t count;
    uint32_t piece;    /* how many places a task has */
    uint32_t from;     /* bottom-up: the next new node */
    uint32_t width;    /* clusters: how many become one */
    cdi_item_key *key; /* clusters: by size */
} cdi_joining;

static const cdi_box *cdi_cluster_box(const cdi_joining *j, uint32_t i) {
    return &j->links.link[j->cluster[i].link].box;
}

static double cdi_cluster_measure(const cdi_joining *j, uint32_t i, uint32_t k) {
    return cdi_joint_measure(&j->links, cdi_cluster_box(j, i), cdi_cluster_box(j, k));
}

/* How much is done when `count` clusters are left. */
static double cdi_joining_done(const cdi_joining *j, uint32_t count) {
    return 0.1 + 0.65 * (1.0 - (double)count / (double)j->links.b->count);
}

static cd_status cdi_joining_begin(cdi_joining *j, cdi_builder *b, bool sorted) {
    cd_status status = cdi_links_begin(&j->links, b) ? CD_OK : CD_OUT_OF_MEMORY;
    j->cluster = (cdi_joined *)cdi_alloc(&b->allocator, b->count, sizeof *j->cluster);
    j->count = b->count;
    if (!j->cluster) status = CD_OUT_OF_MEMORY;
    if (status == CD_OK && sorted) status = cdi_links_sort(&j->links);
    for (uint32_t i = 0; status == CD_OK && i < b->count; ++i) j->cluster[i].link = i;
    return status;
}

/* Runs a method, which leaves one cluster when all goes well. */
static cd_status cdi_build_joined(cdi_builder *b, cd_status (*method)(cdi_joining *), bool sorted) {
    cdi_joining j;
    cd_status status = cdi_joining_begin(&j, b, sorted);
    if (status == CD_OK) status = method(&j);
    if (status == CD_OK) {
        j.links.root = j.cluster[0].link;
        cdi_links_write(&j.links);
        status = cdi_tell_progress(b, 0.8) ? CD_OK : CD_CANCELLED;
    }
    cdi_free(&b->allocator, j.cluster, b->count, sizeof *j.cluster);
    cdi_links_end(&j.links);
    return status;
}

/* ---- bottom-up ---- */

/* A piece of the curve: places first to first + count - 1, of which `left` are to stay; `node` is its next new node. */
typedef struct cdi_joining_piece {
    uint32_t first, count, left, node, live;
} cdi_joining_piece;

/* The nearest of the others, of equal ones the first; forgets on the way those that are gone. */
static void cdi_find_partner(cdi_joining *j, cdi_joining_piece *p, uint32_t i) {
    cdi_joined *c = j->cluster, *live = c + p->first;
    uint32_t kept = 0;
    c[i].measure = cdi_infinity();
    for (uint32_t k = 0; k < p->live; ++k) {
        uint32_t other = live[k].live;
        if (c[other].link == CD_NONE) continue;
        live[kept++].live = other;
        if (other != i) {
            double m = cdi_cluster_measure(j, i, other);
            if (m < c[i].measure) {
                c[i].measure = m;
                c[i].partner = other;
            }
        }
    }
    p->live = kept;
}

/* Pairs are in order of their measures, then of the lower and the higher place. */
static bool cdi_pair_precedes(const cdi_joined *c, uint32_t i, uint32_t k) {
    uint32_t a = i < c[i].partner ? i : c[i].partner, b = k < c[k].partner ? k : c[k].partner;
    if (c[i].measure < c[k].measure || c[i].measure > c[k].measure) return c[i].measure < c[k].measure;
    return a != b ? a < b : i + c[i].partner < k + c[k].partner;
}

/* The queue is a heap. Moves what stands at `at` down to its place. */
static void cdi_queue_sift(cdi_joined *c, uint32_t first, uint32_t count, uint32_t at) {
    uint32_t moved = c[first + at].queue;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && cdi_pair_precedes(c, c[first + child + 1].queue, c[first + child].queue))
            ++child;
        if (!cdi_pair_precedes(c, c[first + child].queue, moved)) break;
        c[first + at].queue = c[first + child].queue;
    }
    c[first + at].queue = moved;
}

static void cdi_piece_begin(cdi_joining *j, cdi_joining_piece *p) {
    cdi_joined *c = j->cluster;
    p->live = p->count;
    for (uint32_t i = p->first; i < p->first + p->count; ++i) {
        c[i].live = c[i].queue = i;
        c[i].partner = i;
    }
    for (uint32_t i = p->first; i < p->first + p->count; ++i) cdi_find_partner(j, p, i);
    for (uint32_t i = p->count / 2; i-- > 0;) cdi_queue_sift(c, p->first, p->count, i);
}

/* The joint tree takes the lower place. */
static void cdi_join_pair(cdi_joining *j, cdi_joining_piece *p, uint32_t i, uint32_t k) {
    cdi_joined *lower = &j->cluster[i < k ? i : k], *upper = &j->cluster[i < k ? k : i];
    cdi_link_join(&j->links, p->node, lower->link, upper->link);
    lower->link = p->node++;
    upper->link = CD_NONE;
}

/* Joins the nearest pair until few enough are left. Boxes only grow, so what a cluster keeps is never more than the truth;
 * when it comes to the top of the queue and is the truth, no other pair is nearer. */
static void cdi_join_piece(cdi_joining *j, cdi_joining_piece *p) {
    cdi_joined *c = j->cluster;
    uint32_t count = p->count, left = p->count;
    cdi_piece_begin(j, p);
    while (left > p->left) {
        uint32_t top = c[p->first].queue, partner = c[top].partner;
        if (c[top].link == CD_NONE) {
            c[p->first].queue = c[p->first + --count].queue;
        } else {
            bool is_true = c[partner].link != CD_NONE;
            if (is_true) is_true = cdi_cluster_measure(j, top, partner) <= c[top].measure;
            if (is_true) {
                cdi_join_pair(j, p, top, partner);
                --left;
            }
            if (c[top].link != CD_NONE) cdi_find_partner(j, p, top);
        }
        cdi_queue_sift(c, p->first, count, 0);
    }
}

/* An eighth of each piece is left, at least one. */
static cdi_joining_piece cdi_piece_of(const cdi_joining *j, uint32_t i) {
    cdi_joining_piece p;
    p.first = i * j->piece;
    p.count = j->count - p.first < j->piece ? j->count - p.first : j->piece;
    p.left = j->count <= j->piece ? 1 : (p.count + 7) / 8;
    p.node = j->from + i * (j->piece - j->piece / 8);
    p.live = 0;
    return p;
}

static void cdi_join_task(void *ctx, uint32_t i) {
    cdi_joining *j = (cdi_joining *)ctx;
    cdi_joining_piece p = cdi_piece_of(j, i);
    cdi_join_piece(j, &p);
}

/* Closes the gaps of those that are gone. */
static void cdi_joining_close(cdi_joining *j) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < j->count; ++i) {
        uint32_t link = j->cluster[i].link;
        if (link != CD_NONE) j->cluster[kept++].link = link;
    }
    j->from += j->count - kept;
    j->count = kept;
}

static cd_status cdi_join_nearest(cdi_joining *j) {
    j->from = j->links.b->count;
    while (j->count > 1) {
        uint32_t tasks;
        double done = cdi_joining_done(j, j->count);
        j->piece = j->count > CDI_JOIN_MOST ? CDI_JOIN_PIECE : CDI_JOIN_MOST;
        tasks = (j->count + j->piece - 1) / j->piece;
        if (!cdi_run_tasks(j->links.b, tasks, cdi_join_task, j, done,
                           cdi_joining_done(j, j->count / 8 + tasks)))
            return CD_CANCELLED;
        cdi_joining_close(j);
    }
    return CD_OK;
}

CDI_FN cd_status cdi_build_bottom_up(cdi_builder *b) {
    return cdi_build_joined(b, cdi_join_nearest, b->count > CDI_JOIN_MOST);
}

/* ---- near-linear ---- */

static void cdi_consider_partner(cdi_joining *j, uint32_t i, uint32_t k) {
    double m = cdi_cluster_measure(j, i, k);
    if (m < j->cluster[i].measure) {
        j->cluster[i].measure = m;
        j->cluster[i].partner = k;
    }
}

/* The nearest within some steps along the curve. Of equal ones that which is fewer steps away, and of two of these such
 * that pairs begin at even places: an order of all pairs, so that the first of them is always joined, and of equal boxes
 * all are at once. */
static void cdi_choose_partner(cdi_joining *j, uint32_t i) {
    j->cluster[i].measure = cdi_infinity();
    for (uint32_t step = 1; step <= CDI_JOIN_RADIUS; ++step) {
        bool has_left = step <= i, has_right = step < j->count - i;
        bool right_first = has_right && (i & 1u) == 0 && (step & 1u) == 1;
        if (right_first) cdi_consider_partner(j, i, i + step);
        if (has_left) cdi_consider_partner(j, i, i - step);
        if (has_right && !right_first) cdi_consider_partner(j, i, i + step);
    }
}

static void cdi_choose_task(void *ctx, uint32_t task) {
    cdi_joining *j = (cdi_joining *)ctx;
    uint32_t end = j->count - task * j->piece < j->piece ? j->count : (task + 1) * j->piece;
    for (uint32_t i = task * j->piece; i < end; ++i) cdi_choose_partner(j, i);
}

static bool cdi_choice_is_mutual(const cdi_joining *j, uint32_t i) {
    return j->cluster[j->cluster[i].partner].partner == i;
}

/* Where hardly any choose each other, as in a series of ever larger steps, those that are chosen give in. */
static void cdi_settle_choices(cdi_joining *j) {
    uint32_t mutual = 0;
    for (uint32_t i = 0; i < j->count; ++i) mutual += cdi_choice_is_mutual(j, i) ? 1 : 0;
    if (mutual >= j->count / 16) return;
    for (uint32_t i = 0; i < j->count; ++i) {
        uint32_t partner = j->cluster[i].partner;
        if (!cdi_choice_is_mutual(j, i) && !cdi_choice_is_mutual(j, partner)) j->cluster[partner].partner = i;
    }
}

/* Joins those that choose each other, in the place of the first. */
static void cdi_join_mutual(cdi_joining *j) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < j->count; ++i) {
        uint32_t partner = j->cluster[i].partner, link = j->cluster[i].link;
        if (cdi_choice_is_mutual(j, i)) {
            if (partner < i) continue;
            cdi_link_join(&j->links, j->links.used, link, j->cluster[partner].link);
            link = j->links.used++;
        }
        j->cluster[kept++].link = link;
    }
    j->count = kept;
}

static cd_status cdi_join_neighbours(cdi_joining *j) {
    double done = 0.1;
    j->piece = 4096;
    while (j->count > 1) {
        uint32_t tasks = (j->count + j->piece - 1) / j->piece;
        double next = cdi_joining_done(j, j->count);
        if (!cdi_run_tasks(j->links.b, tasks, cdi_choose_task, j, done, next)) return CD_CANCELLED;
        cdi_settle_choices(j);
        cdi_join_mutual(j);
        done = next;
    }
    return CD_OK;
}

CDI_FN cd_status cdi_build_near_linear(cdi_builder *b) {
    return cdi_build_joined(b, cdi_join_neighbours, true);
}

/* ---- clusters of several ---- */

/* Some that become one: their places, the first of which is where they are gathered, and the box around them. */
typedef struct cdi_gathering {
    uint32_t place[CDI_JOIN_WIDTH], count;
    cdi_box box;
} cdi_gathering;

static bool cdi_is_gathered(const cdi_gathering *g, uint32_t place) {
    for (uint32_t i = 0; i < g->count; ++i) {
        if (g->place[i] == place) return true;
    }
    return false;
}

/* Of those within some steps along the curve that are free, the one that makes the box least larger; CD_NONE: there is
 * none. */
static uint32_t cdi_find_member(const cdi_joining *j, const cdi_gathering *g) {
    uint32_t at = g->place[0], best = CD_NONE;
    uint32_t first = at > CDI_JOIN_RADIUS ? at - CDI_JOIN_RADIUS : 0;
    double least = cdi_infinity();
    for (uint32_t i = first; i < j->count && i <= at + CDI_JOIN_RADIUS; ++i) {
        double m;
        if (!j->cluster[i].is_free || cdi_is_gathered(g, i)) continue;
        m = cdi_joint_measure(&j->links, &g->box, cdi_cluster_box(j, i));
        if (m < least) {
            least = m;
            best = i;
        }
    }
    return best;
}

static double cdi_gather(const cdi_joining *j, uint32_t at, cdi_gathering *g) {
    g->box = *cdi_cluster_box(j, at);
    g->count = 0;
    while (at != CD_NONE) {
        g->place[g->count++] = at;
        cdi_box_grow(&g->box, cdi_cluster_box(j, at));
        at = g->count < j->width ? cdi_find_member(j, g) : CD_NONE;
    }
    return cdi_box_measure(&j->links, &g->box);
}

static void cdi_gather_task(void *ctx, uint32_t task) {
    cdi_joining *j = (cdi_joining *)ctx;
    cdi_gathering g;
    uint32_t first = task * j->piece, end = j->count - first < j->piece ? j->count : first + j->piece;
    for (uint32_t i = first; i < end; ++i) {
        j->cluster[i].measure = cdi_gather(j, i, &g);
        j->key[i].code = cdi_bits(j->cluster[i].measure);
        j->key[i].item = i;
        j->key[i].unused = 0;
    }
}

/* The nearest two of a few trees. */
static void cdi_nearest_two(const cdi_links *l, const uint32_t *tree, uint32_t count, uint32_t *a,
                            uint32_t *b) {
    double least = cdi_infinity();
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = i + 1; k < count; ++k) {
            double m = cdi_joint_measure(l, &l->link[tree[i]].box, &l->link[tree[k]].box);
            if (m < least) {
                least = m;
                *a = i;
                *b = k;
            }
        }
    }
}

/* Makes one tree of those gathered by joining the nearest two over and over. */
static void cdi_join_gathered(cdi_joining *j, const cdi_gathering *g) {
    cdi_links *l = &j->links;
    cdi_joined *c = j->cluster;
    uint32_t tree[CDI_JOIN_WIDTH], a = 0, b = 1;
    for (uint32_t i = 0; i < g->count; ++i) {
        tree[i] = c[g->place[i]].link;
        c[g->place[i]].link = CD_NONE;
        c[g->place[i]].is_free = 0;
    }
    for (uint32_t count = g->count; count > 1; --count) {
        cdi_nearest_two(l, tree, count, &a, &b);
        cdi_link_join(l, l->used, tree[a], tree[b]);
        tree[a] = l->used++;
        tree[b] = tree[count - 1];
    }
    c[g->place[0]].link = tree[0];
}

/* The smallest first. Those whose nearest were taken by others wait for the next round when what is left for them is much
 * larger, unless all must go. */
static void cdi_join_gatherings(cdi_joining *j, const cdi_item_key *sorted, bool all) {
    for (uint32_t i = 0; i < j->count; ++i) {
        uint32_t at = sorted[i].item;
        cdi_gathering g;
        double m;
        if (!j->cluster[at].is_free) continue;
        m = cdi_gather(j, at, &g);
        if (all || m <= 2.0 * j->cluster[at].measure) cdi_join_gathered(j, &g);
    }
}

static cd_status cdi_join_rounds(cdi_joining *j) {
    const cdi_builder *b = j->links.b;
    bool all = false;
    double done = 0.1;
    j->piece = 4096;
    while (j->count > 1) {
        uint32_t before = j->count, tasks = (j->count + j->piece - 1) / j->piece;
        double next = cdi_joining_done(j, j->count);
        cd_status status;
        cdi_item_key *sorted;
        for (uint32_t i = 0; i < j->count; ++i) j->cluster[i].is_free = 1;
        if (!cdi_run_tasks(b, tasks, cdi_gather_task, j, done, next)) return CD_CANCELLED;
        sorted = cdi_sort_items(b, j->key, j->count, 64, next, next, &status);
        if (!sorted) return status;
        cdi_join_gatherings(j, sorted, all);
        cdi_joining_close(j);
        all = j->count > before / 8 * 7;
        done = next;
    }
    return CD_OK;
}

static cd_status cdi_join_clusters(cdi_joining *j) {
    const cdi_builder *b = j->links.b;
    uint32_t asked = b->options->candidates;
    cd_status status;
    j->width = asked == 0 ? 4 : asked < 2 ? 2 : asked > CDI_JOIN_WIDTH ? CDI_JOIN_WIDTH : asked;
    j->key = (cdi_item_key *)cdi_alloc(&b->allocator, 2 * (size_t)b->count, sizeof *j->key);
    status = j->key ? cdi_join_rounds(j) : CD_OUT_OF_MEMORY;
    cdi_free(&b->allocator, j->key, 2 * (size_t)b->count, sizeof *j->key);
    return status;
}

CDI_FN cd_status cdi_build_clustered(cdi_builder *b) {
    return cdi_build_joined(b, cdi_join_clusters, true);
}

#undef CDI_JOIN_MOST
#undef CDI_JOIN_PIECE
#undef CDI_JOIN_RADIUS
#undef CDI_JOIN_WIDTH
