#include "tree/keys.h"

enum { CDI_KEY_BITS = 11, CDI_KEY_VALUES = 1 << CDI_KEY_BITS, CDI_KEY_PARTS = 16, CDI_KEY_PART_LEAST = 8192 };

/* One pass over the keys in parts: how often each digit comes in each part, then where each part's next one goes. */
typedef struct cdi_key_pass {
    const void *from;
    void *to;
    uint32_t (*place)[CDI_KEY_VALUES];
    uint32_t count, parts;
    int shift;
} cdi_key_pass;

static uint32_t cdi_key_part_begin(const cdi_key_pass *p, uint32_t part) {
    return (uint32_t)((uint64_t)p->count * part / p->parts);
}

/* Of items with a key, and of keys that are a number alone. */

static void cdi_count_digits(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    const cdi_item_key *from = (const cdi_item_key *)p->from;
    uint32_t *count = p->place[part], end = cdi_key_part_begin(p, part + 1);
    cdi_clear(count, sizeof *p->place);
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i)
        ++count[from[i].code >> p->shift & (CDI_KEY_VALUES - 1)];
}

static void cdi_move_keys(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    const cdi_item_key *from = (const cdi_item_key *)p->from;
    cdi_item_key *to = (cdi_item_key *)p->to;
    uint32_t *place = p->place[part], end = cdi_key_part_begin(p, part + 1);
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i) {
        to[place[from[i].code >> p->shift & (CDI_KEY_VALUES - 1)]++] = from[i];
        CDI_COUNT(build);
    }
}

static void cdi_count_plain_digits(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    const uint64_t *from = (const uint64_t *)p->from;
    uint32_t *count = p->place[part], end = cdi_key_part_begin(p, part + 1);
    int shift = p->shift;
    cdi_clear(count, sizeof *p->place);
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i)
        ++count[from[i] >> shift & (CDI_KEY_VALUES - 1)];
}

static void cdi_move_plain_keys(void *ctx, uint32_t part) {
    const cdi_key_pass *p = (const cdi_key_pass *)ctx;
    const uint64_t *from = (const uint64_t *)p->from;
    uint64_t *to = (uint64_t *)p->to;
    uint32_t *place = p->place[part], end = cdi_key_part_begin(p, part + 1);
    int shift = p->shift;
    for (uint32_t i = cdi_key_part_begin(p, part); i < end; ++i) {
        to[place[from[i] >> shift & (CDI_KEY_VALUES - 1)]++] = from[i];
        CDI_COUNT(build);
    }
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

/* What is to be sorted: two arrays to go to and fro between, by the bits from `shift` to below `bits`. */
typedef struct cdi_key_sort {
    void *keys[2];
    void (*count_digits)(void *ctx, uint32_t part);
    void (*move)(void *ctx, uint32_t part);
    uint32_t count;
    int shift, bits;
    double from, to;
} cdi_key_sort;

/* Digit after digit, the lowest first; which of the two arrays they are in then, or -1 when cancelled. */
static int cdi_sort_digits(const cdi_builder *b, cdi_key_pass *p, const cdi_key_sort *s) {
    double from = s->from,
           step = (s->to - from) * (double)CDI_KEY_BITS / (2.0 * (double)(s->bits - s->shift + CDI_KEY_BITS));
    int now = 0;
    for (p->shift = s->shift; p->shift < s->bits; p->shift += CDI_KEY_BITS, from += 2.0 * step) {
        p->from = s->keys[now];
        p->to = s->keys[1 - now];
        if (!cdi_run_tasks(b, p->parts, s->count_digits, p, from, from + step)) return -1;
        if (!cdi_place_digits(p)) continue;
        if (!cdi_run_tasks(b, p->parts, s->move, p, from + step, from + 2.0 * step)) return -1;
        now = 1 - now;
    }
    return now;
}

/* One thread needs one part alone; the parts do not change what comes out. */
static void *cdi_sort_by_digits(const cdi_builder *b, const cdi_key_sort *s, cd_status *status) {
    cdi_key_pass pass;
    int now = -1;
    cdi_clear(&pass, sizeof pass);
    pass.count = s->count;
    pass.parts = s->count / CDI_KEY_PART_LEAST + 1;
    if (pass.parts > CDI_KEY_PARTS) pass.parts = CDI_KEY_PARTS;
    if (!b->executor.run && !b->executor.progress) pass.parts = 1;
    pass.place = (uint32_t(*)[CDI_KEY_VALUES])cdi_alloc(&b->allocator, pass.parts, sizeof *pass.place);
    *status = CD_OUT_OF_MEMORY;
    if (pass.place) {
        now = cdi_sort_digits(b, &pass, s);
        *status = now < 0 ? CD_CANCELLED : CD_OK;
    }
    cdi_free(&b->allocator, pass.place, pass.parts, sizeof *pass.place);
    return now < 0 ? NULL : s->keys[now];
}

CDI_FN cdi_item_key *cdi_sort_items(const cdi_builder *b, cdi_item_key *keys, uint32_t count, int bits,
                                    double from, double to, cd_status *status) {
    cdi_key_sort s;
    s.keys[0] = keys;
    s.keys[1] = keys + count;
    s.count_digits = cdi_count_digits;
    s.move = cdi_move_keys;
    s.count = count;
    s.shift = 0;
    s.bits = bits;
    s.from = from;
    s.to = to;
    return (cdi_item_key *)cdi_sort_by_digits(b, &s, status);
}

CDI_FN uint64_t *cdi_sort_codes(const cdi_builder *b, uint64_t *keys, uint32_t count, int low_bit, int bits,
                                double from, double to, cd_status *status) {
    cdi_key_sort s;
    s.keys[0] = keys;
    s.keys[1] = keys + count;
    s.count_digits = cdi_count_plain_digits;
    s.move = cdi_move_plain_keys;
    s.count = count;
    s.shift = low_bit;
    s.bits = bits;
    s.from = from;
    s.to = to;
    return (uint64_t *)cdi_sort_by_digits(b, &s, status);
}
