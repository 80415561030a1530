#include "tree/cutting.h"

#define CDI_TASKS      64u /* parts that may be built side by side */
#define CDI_TASK_LEAST 4096u

typedef struct cdi_cutting {
    cdi_builder *b;
    cdi_cut_fn cut;
    void *ctx;
    cdi_range task[CDI_TASKS];
    uint32_t top[CDI_TASKS]; /* slots of the nodes above the tasks, parents first */
    uint32_t task_count, top_count;
} cdi_cutting;

/* False for a leaf. */
static bool cdi_cut_node(const cdi_cutting *c, const cdi_range *r, cdi_range *left, cdi_range *right) {
    *left = *right = *r;
    if (!c->cut(c->ctx, r, left, right)) return false;
    cdi_write_inner(c->b, r, left, right);
    return true;
}

/* The box of a node whose children are done. */
static void cdi_join_children(cdi_builder *b, uint32_t slot) {
    b->node[slot].box = b->node[slot + 1].box;
    cdi_box_grow(&b->node[slot].box, &b->node[b->node[slot].next].box);
}

/* A node on the way to the one in hand, and its right side. */
typedef struct cdi_cut_step {
    cdi_range right;
    uint32_t slot;
    bool left_is_done;
} cdi_cut_step;

/* The right side comes into the first slot that the left one has left free. */
static void cdi_begin_right(cdi_builder *b, cdi_cut_step *step, uint32_t free_slot) {
    step->left_is_done = true;
    step->right.slot = free_slot;
    b->node[step->slot].next = free_slot;
}

/* The whole subtree of a run. */
static void cdi_cut_subtree(const cdi_cutting *c, const cdi_range *run) {
    cdi_cut_step path[CDI_BINARY_DEPTH];
    cdi_range at = *run, left;
    uint32_t depth = 0;
    for (;;) {
        uint32_t free_slot = at.slot + 1;
        if (cdi_cut_node(c, &at, &left, &path[depth].right)) {
            path[depth].slot = at.slot;
            path[depth++].left_is_done = false;
            at = left;
            continue;
        }
        while (depth > 0 && path[depth - 1].left_is_done) cdi_join_children(c->b, path[--depth].slot);
        if (depth == 0) return;
        cdi_begin_right(c->b, &path[depth - 1], free_slot);
        at = path[depth - 1].right;
    }
}

static void cdi_cut_task(void *ctx, uint32_t i) {
    const cdi_cutting *c = (const cdi_cutting *)ctx;
    cdi_cut_subtree(c, &c->task[i]);
}

static uint32_t cdi_largest_task(const cdi_cutting *c) {
    uint32_t largest = 0;
    for (uint32_t i = 1; i < c->task_count; ++i) {
        if (c->task[i].count > c->task[largest].count) largest = i;
    }
    return largest;
}

/* Cuts the largest run until there are enough for all threads. */
static bool cdi_cut_top(cdi_cutting *c, double from, double to) {
    while (c->task_count < CDI_TASKS) {
        uint32_t i = cdi_largest_task(c);
        cdi_range left, right;
        if (c->task[i].count < CDI_TASK_LEAST || !cdi_cut_node(c, &c->task[i], &left, &right)) break;
        c->top[c->top_count++] = c->task[i].slot;
        c->task[i] = left;
        c->task[c->task_count++] = right;
        if (!cdi_tell_progress(c->b, from + (to - from) * (double)c->task_count / CDI_TASKS)) return false;
    }
    return true;
}

CDI_FN bool cdi_build_by_cuts(cdi_builder *b, cdi_range *all, cdi_cut_fn cut, void *ctx, double from) {
    double middle = from + 0.4 * (0.8 - from);
    cdi_cutting c;
    all->first = all->slot = all->depth = 0;
    all->count = b->count;
    c.b = b;
    c.cut = cut;
    c.ctx = ctx;
    c.task[0] = *all;
    c.task_count = 1;
    c.top_count = 0;
    if (!cdi_cut_top(&c, from, middle) || !cdi_run_tasks(b, c.task_count, cdi_cut_task, &c, middle, 0.8))
        return false;
    while (c.top_count > 0) cdi_join_children(b, c.top[--c.top_count]);
    return true;
}

CDI_FN void cdi_exchange_items(cdi_builder *b, uint32_t i, uint32_t j) {
    cdi_box box = b->box[i];
    uint32_t index = b->order[i];
    b->box[i] = b->box[j];
    b->box[j] = box;
    b->order[i] = b->order[j];
    b->order[j] = index;
}

#undef CDI_TASKS
#undef CDI_TASK_LEAST
