#include "tree/front_list.h"

CDI_FN void cdi_front_free(cdi_front_list *list, const cd_allocator *allocator) {
    cdi_free(allocator, list->entries, list->capacity, sizeof *list->entries);
    cdi_clear(list, sizeof *list);
}

CDI_FN bool cdi_front_room(cdi_front_list *list, const cd_allocator *allocator) {
    uint32_t more = list->capacity ? list->capacity * 2 : 64;
    cdi_front_entry *entries;
    if (list->failed) return false;
    if (list->count < list->capacity) return true;
    entries =
        list->capacity < 0x40000000u ? (cdi_front_entry *)cdi_alloc(allocator, more, sizeof *entries) : NULL;
    if (!entries) {
        list->failed = true;
        return false;
    }
    if (list->count) cdi_copy(entries, list->entries, list->count * sizeof *entries);
    cdi_free(allocator, list->entries, list->capacity, sizeof *entries);
    list->entries = entries;
    list->capacity = more;
    return true;
}
