#include "tree/keys.h"

enum { CDI_KEY_BITS = 11, CDI_KEY_VALUES = 1 << CDI_KEY_BITS, CDI_KEY_PARTS = 16, CDI_KEY_PART_LEAST = 8192 };

/* One pass over the keys in parts: how often each digit comes in each part, then where each part's next one goes. */
typedef struct cdi_key_pass {
    const cdi_item_key *from;
    cdi_item_key *to;
    uint32_t (*place)[CDI_KEY_VALUES];
    uint32_t count, parts;
    int shift;
} cdi_key_pass;

static uint32_t cdi_key_part_begin(const cdi_key_pass *p, uint32_t part) {
    return (uint32_t)((uint64_t)p->count * part / p->parts);
}

static void cdi_count_digits(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    uint32_t *count = p->place[part], end = cdi_key_part_begin(p, part + 1);
    cdi_clear(count, sizeof *p->place);
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i)
        ++count[p->from[i].code >> p->shift & (CDI_KEY_VALUES - 1)];
}

/* From counts to places; false when all keys have the same digit. */
static bool cdi_place_digits(const cdi_key_pass *p) {
    uint32_t sum = 0;
    for (int v = 0; v < CDI_KEY_VALUES; ++v) {
        uint32_t before = sum;
        for (uint32_t part = 0; part < p->parts; ++part) {
            uint32_t n = p->place[part][v];
            p->place[part][v] = sum;
            sum += n;
        }
        if (sum - before == p->count) return false;
    }
    return true;
}

static void cdi_move_keys(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    uint32_t *place = p->place[part], end = cdi_key_part_begin(p, part + 1);
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i) {
        p->to[place[p->from[i].code >> p->shift & (CDI_KEY_VALUES - 1)]++] = p->from[i];
        CDI_COUNT(build);
    }
}

/* Digit after digit, the lowest first; which of the two arrays they are in then, or -1 when cancelled. */
static int cdi_sort_digits(const cdi_builder *b, cdi_key_pass *p, cdi_item_key *const keys[2], int bits,
                           double from, double to) {
    double step = (to - from) * (double)CDI_KEY_BITS / (2.0 * (double)(bits + CDI_KEY_BITS));
    int now = 0;
    for (p->shift = 0; p->shift < bits; p->shift += CDI_KEY_BITS, from += 2.0 * step) {
        p->from = keys[now];
        p->to = keys[1 - now];
        if (!cdi_run_tasks(b, p->parts, cdi_count_digits, p, from, from + step)) return -1;
        if (!cdi_place_digits(p)) continue;
        if (!cdi_run_tasks(b, p->parts, cdi_move_keys, p, from + step, from + 2.0 * step)) return -1;
        now = 1 - now;
    }
    return now;
}

CDI_FN cdi_item_key *cdi_sort_items(const cdi_builder *b, cdi_item_key *keys, uint32_t count, int bits,
                                    double from, double to, cd_status *status) {
    cdi_item_key *pair[2] = {NULL, NULL};
    cdi_key_pass pass;
    int now = -1;
    cdi_clear(&pass, sizeof pass);
    pair[0] = keys;
    pair[1] = keys + count;
    pass.count = count;
    pass.parts = count / CDI_KEY_PART_LEAST + 1;
    if (pass.parts > CDI_KEY_PARTS) pass.parts = CDI_KEY_PARTS;
    pass.place = (uint32_t(*)[CDI_KEY_VALUES])cdi_alloc(&b->allocator, pass.parts, sizeof *pass.place);
    *status = CD_OUT_OF_MEMORY;
    if (pass.place) {
        now = cdi_sort_digits(b, &pass, pair, bits, from, to);
        *status = now < 0 ? CD_CANCELLED : CD_OK;
    }
    cdi_free(&b->allocator, pass.place, pass.parts, sizeof *pass.place);
    return now < 0 ? NULL : pair[now];
}
