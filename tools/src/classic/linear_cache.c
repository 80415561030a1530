#include "classic/linear_cache.h"

#ifndef COLLIDE_NO_CLASSIC

#include "core/platform.h"

#define CDI_LINEAR_LINE 64u

/* What is in a slot, if anything. */
typedef struct cdi_linear_slot {
    uint64_t used; /* when; 0: the slot is empty */
    size_t bytes;
    uint32_t leaf;
    uint32_t unasked; /* it was predicted, and is not asked for yet */
} cdi_linear_slot;

/* The options in numbers; false when memory of that size cannot be. */
typedef struct cdi_linear_plan {
    size_t slots, sets, ways, slot_bytes, bytes;
} cdi_linear_plan;

static bool cdi_linear_plan_of(const cd_linear_cache_options *o, cdi_linear_plan *p) {
    const size_t most = SIZE_MAX / 4;
    size_t head;
    p->ways = o->ways ? o->ways : 1;
    p->slots = o->slots ? o->slots : 127;
    p->slot_bytes = o->slot_bytes ? o->slot_bytes : 1024;
    if (p->slot_bytes > most - CDI_LINEAR_LINE) return false;
    p->slot_bytes = (p->slot_bytes + CDI_LINEAR_LINE - 1) / CDI_LINEAR_LINE * CDI_LINEAR_LINE;
    p->sets = p->slots / p->ways + (p->slots % p->ways != 0);
    if (p->sets > 0xFFFFFFFEu / p->ways) return false;
    p->slots = p->sets * p->ways;
    head = sizeof(cdi_linear_slot) + sizeof(uint32_t);
    if (p->slots > most / (head + p->slot_bytes)) return false;
    p->bytes = p->slots * (head + p->slot_bytes) +
               2 * CDI_LINEAR_LINE; /* both parts may have to be moved to a line */
    return true;
}

CD_API size_t cd_linear_cache_size(const cd_linear_cache_options *options) {
    cdi_linear_plan p;
    return cdi_linear_plan_of(options, &p) ? p.bytes : 0;
}

static cdi_linear_slot *cdi_linear_slot_at(const cd_linear_cache *c, uint32_t i) {
    return (cdi_linear_slot *)c->slots + i;
}

static unsigned char *cdi_linear_aligned(unsigned char *p) {
    return p + (CDI_LINEAR_LINE - ((uintptr_t)p & (CDI_LINEAR_LINE - 1))) % CDI_LINEAR_LINE;
}

CD_API cd_status cd_linear_cache_init(cd_linear_cache *cache, void *memory, size_t size,
                                      const cd_linear_cache_options *options) {
    cdi_linear_plan p;
    unsigned char *at;
    cdi_clear(cache, sizeof *cache);
    if (!memory || !options->fetch || !cdi_linear_plan_of(options, &p) || size < p.bytes)
        return CD_INVALID_ARGUMENT;
    at = cdi_linear_aligned((unsigned char *)memory);
    cache->slots = at;
    cache->waiting = (uint32_t *)(void *)(cdi_linear_slot_at(cache, 0) + p.slots);
    cache->data = cdi_linear_aligned((unsigned char *)(void *)(cache->waiting + p.slots));
    cache->sets = (uint32_t)p.sets;
    cache->ways = (uint32_t)p.ways;
    cache->slot_bytes = p.slot_bytes;
    cache->fetch = options->fetch;
    cache->user = options->user;
    cdi_clear(cache->slots, p.slots * sizeof(cdi_linear_slot));
    return CD_OK;
}

/* ---- slots ---- */

static uint32_t cdi_linear_slots(const cd_linear_cache *c) {
    return c->sets * c->ways;
}

/* The slot that has a leaf, or CD_NONE. */
static uint32_t cdi_linear_find(const cd_linear_cache *c, uint32_t leaf) {
    uint32_t first = leaf % c->sets * c->ways;
    for (uint32_t i = first; i < first + c->ways; ++i) {
        if (cdi_linear_slot_at(c, i)->used && cdi_linear_slot_at(c, i)->leaf == leaf) return i;
    }
    return CD_NONE;
}

/* The slot that a leaf goes to: an empty one of its set, else the one used longest ago. */
static uint32_t cdi_linear_victim(const cd_linear_cache *c, uint32_t leaf) {
    uint32_t first = leaf % c->sets * c->ways, best = first;
    for (uint32_t i = first + 1; i < first + c->ways; ++i) {
        if (cdi_linear_slot_at(c, i)->used < cdi_linear_slot_at(c, best)->used) best = i;
    }
    return best;
}

static void cdi_linear_empty(cd_linear_cache *c, uint32_t i) {
    if (cdi_linear_slot_at(c, i)->used && cdi_linear_slot_at(c, i)->unasked)
        ++c->counts.predicted_for_nothing;
    cdi_clear(cdi_linear_slot_at(c, i), sizeof(cdi_linear_slot));
}

/* Linearisation: the leaf's data is put in a row. */
static uint32_t cdi_linear_fetch(cd_linear_cache *c, uint32_t leaf) {
    uint32_t i = cdi_linear_victim(c, leaf);
    if (cdi_linear_slot_at(c, i)->used) ++c->counts.evictions;
    cdi_linear_empty(c, i);
    cdi_linear_slot_at(c, i)->bytes = c->fetch(c->user, leaf, c->data + i * c->slot_bytes, c->slot_bytes);
    cdi_linear_slot_at(c, i)->leaf = leaf;
    cdi_linear_slot_at(c, i)->used = ++c->time;
    return i;
}

CD_API const void *cd_linear_cache_get(cd_linear_cache *cache, uint32_t leaf, size_t *bytes) {
    uint32_t i;
    *bytes = 0;
    if (!cache->slots) return NULL;
    i = cdi_linear_find(cache, leaf);
    if (i == CD_NONE) {
        ++cache->counts.misses;
        i = cdi_linear_fetch(cache, leaf);
    } else {
        ++cache->counts.hits;
        cache->counts.predicted_well += cdi_linear_slot_at(cache, i)->unasked;
    }
    cdi_linear_slot_at(cache, i)->used = ++cache->time;
    cdi_linear_slot_at(cache, i)->unasked = 0;
    *bytes = cdi_linear_slot_at(cache, i)->bytes;
    if (*bytes <= cache->slot_bytes) return cache->data + i * cache->slot_bytes;
    ++cache->counts.too_long;
    return NULL;
}

CD_API bool cd_linear_cache_holds(const cd_linear_cache *cache, uint32_t leaf) {
    uint32_t i = cache->slots ? cdi_linear_find(cache, leaf) : CD_NONE;
    return i != CD_NONE && cdi_linear_slot_at(cache, i)->bytes <= cache->slot_bytes;
}

/* ---- predictions ---- */

static uint32_t *cdi_linear_waiting(const cd_linear_cache *c, uint32_t i) {
    return &c->waiting[((size_t)c->first + i) % cdi_linear_slots(c)];
}

static uint32_t cdi_linear_next(cd_linear_cache *c) {
    uint32_t leaf = *cdi_linear_waiting(c, 0);
    c->first = (c->first + 1) % cdi_linear_slots(c);
    --c->waiting_count;
    return leaf;
}

/* Takes a leaf out of the ring, if it waits there. */
static void cdi_linear_withdraw(cd_linear_cache *c, uint32_t leaf) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->waiting_count; ++i) {
        uint32_t other = *cdi_linear_waiting(c, i);
        if (other != leaf) *cdi_linear_waiting(c, kept++) = other;
    }
    c->waiting_count = kept;
}

CD_API void cd_linear_cache_predict(cd_linear_cache *cache, uint32_t leaf) {
    uint32_t i;
    if (!cache->slots) return;
    i = cdi_linear_find(cache, leaf);
    if (i != CD_NONE) {
        cdi_linear_slot_at(cache, i)->used = ++cache->time;
        return;
    }
    for (i = 0; i < cache->waiting_count; ++i) {
        if (*cdi_linear_waiting(cache, i) == leaf) return;
    }
    if (cache->waiting_count == cdi_linear_slots(cache)) {
        cdi_linear_next(cache);
        ++cache->counts.dropped;
    }
    *cdi_linear_waiting(cache, cache->waiting_count++) = leaf;
}

CD_API uint32_t cd_linear_cache_step(cd_linear_cache *cache, size_t budget) {
    size_t done = 0;
    while (cache->waiting_count > 0 && done < budget) {
        uint32_t leaf = cdi_linear_next(cache), i;
        size_t bytes;
        if (cdi_linear_find(cache, leaf) != CD_NONE) continue; /* asked for in the meantime */
        i = cdi_linear_fetch(cache, leaf);
        cdi_linear_slot_at(cache, i)->unasked = 1;
        ++cache->counts.predicted;
        bytes = cdi_linear_slot_at(cache, i)->bytes;
        if (bytes > cache->slot_bytes) bytes = cache->slot_bytes;
        done += bytes ? bytes : 1;
    }
    return cache->waiting_count;
}

CD_API void cd_linear_cache_forget(cd_linear_cache *cache, uint32_t leaf) {
    uint32_t i;
    if (!cache->slots) return;
    i = cdi_linear_find(cache, leaf);
    if (i != CD_NONE) cdi_linear_empty(cache, i);
    cdi_linear_withdraw(cache, leaf);
}

CD_API void cd_linear_cache_clear(cd_linear_cache *cache) {
    if (!cache->slots) return;
    for (uint32_t i = 0; i < cdi_linear_slots(cache); ++i) cdi_linear_empty(cache, i);
    cache->first = cache->waiting_count = 0;
}

#undef CDI_LINEAR_LINE

#endif
