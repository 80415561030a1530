#include "cases.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static json *read_value(const char **at);
static bool cut_off; /* the text ended within a value */

static void skip_space(const char **at) {
    while (**at == ' ' || **at == '\n' || **at == '\t' || **at == '\r') ++*at;
}

static json *new_value(json_type type) {
    json *v = (json *)calloc(1, sizeof *v);
    if (!v) abort();
    v->type = type;
    v->number = NAN;
    return v;
}

/* A string without its quotes; escapes are kept as they stand, except for the quote. */
static char *read_text(const char **at) {
    const char *start = ++*at;
    char *text, *to;
    while (**at && **at != '"') *at += **at == '\\' && (*at)[1] ? 2 : 1;
    text = to = (char *)malloc((size_t)(*at - start) + 1);
    if (!text) abort();
    while (start < *at) {
        if (*start == '\\' && start[1] == '"') ++start;
        *to++ = *start++;
    }
    *to = 0;
    cut_off = cut_off || !**at;
    if (**at) ++*at;
    return text;
}

static json *read_string(const char **at) {
    json *v = new_value(JSON_STRING);
    v->text = read_text(at);
    if (!strcmp(v->text, "inf")) v->number = INFINITY;
    if (!strcmp(v->text, "-inf")) v->number = -INFINITY;
    return v;
}

/* An array or an object, up to its closing bracket. */
static json *read_list(const char **at, json_type type) {
    char close = type == JSON_ARRAY ? ']' : '}';
    json *v = new_value(type), **end = &v->child;
    ++*at;
    for (;;) {
        char *name = NULL;
        skip_space(at);
        if (**at == ',') ++*at;
        skip_space(at);
        if (**at == close || !**at) break;
        if (type == JSON_OBJECT) {
            name = read_text(at);
            skip_space(at);
            if (**at == ':') ++*at;
        }
        *end = read_value(at);
        (*end)->name = name;
        end = &(*end)->next;
    }
    cut_off = cut_off || !**at;
    if (**at) ++*at;
    return v;
}

static json *read_word(const char **at) {
    static const char *const words[] = {"null", "false", "true"};
    json *v;
    char *end;
    for (int i = 0; i < 3; ++i) {
        if (!strncmp(*at, words[i], strlen(words[i]))) {
            *at += strlen(words[i]);
            return new_value((json_type)i);
        }
    }
    v = new_value(JSON_NUMBER);
    cut_off = cut_off || !**at;
    v->number = strtod(*at, &end);
    if (end > *at || !**at)
        *at = end;
    else
        ++*at;
    return v;
}

static json *read_value(const char **at) {
    skip_space(at);
    switch (**at) {
    case '"': return read_string(at);
    case '[': return read_list(at, JSON_ARRAY);
    case '{': return read_list(at, JSON_OBJECT);
    default: return read_word(at);
    }
}

json *cases_parse(const char *text) {
    json *v;
    cut_off = false;
    v = read_value(&text);
    skip_space(&text);
    if (!*text && !cut_off) return v;
    cases_free(v);
    return NULL;
}

json *cases_load(const char *family) {
    char path[200], *text;
    long size;
    FILE *f;
    json *v = NULL;
    snprintf(path, sizeof path, "tests/cases/%s.json", family);
    f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    text = (char *)calloc(1, (size_t)size + 1);
    if (text && fread(text, 1, (size_t)size, f) == (size_t)size) v = cases_parse(text);
    free(text);
    fclose(f);
    return v;
}

void cases_free(json *value) {
    while (value) {
        json *next = value->next;
        cases_free(value->child);
        free(value->text);
        free(value->name);
        free(value);
        value = next;
    }
}

/* ---- asking ---- */

const json *json_get(const json *object, const char *name) {
    const json *v = object ? object->child : NULL;
    while (v && (!v->name || strcmp(v->name, name))) v = v->next;
    return v;
}

bool json_is(const json *object, const char *name, const char *text) {
    const json *v = json_get(object, name);
    return v && v->type == JSON_STRING && !strcmp(v->text, text);
}

bool json_true(const json *object, const char *name) {
    const json *v = json_get(object, name);
    return v && v->type == JSON_TRUE;
}

double json_real(const json *object, const char *name) {
    const json *v = json_get(object, name);
    return v ? v->number : NAN;
}

int json_reals(const json *value, double *out, int room) {
    int count = 0;
    if (!value) return 0;
    if (value->type != JSON_ARRAY) {
        if (room > 0) *out = value->number;
        return 1;
    }
    for (const json *v = value->child; v; v = v->next)
        count += json_reals(v, out + count, room > count ? room - count : 0);
    return count;
}

int json_length(const json *array) {
    int count = 0;
    if (!array || array->type != JSON_ARRAY) return 0;
    for (const json *v = array->child; v; v = v->next) ++count;
    return count;
}

/* The digits at the front of the text, nine at a time. */
static exact read_integer(const char **at) {
    exact sum = exact_from(0);
    bool negative = **at == '-';
    *at += negative;
    while (**at >= '0' && **at <= '9') {
        double chunk = 0, power = 1;
        for (int i = 0; i < 9 && **at >= '0' && **at <= '9'; ++i, ++*at) {
            chunk = 10 * chunk + (**at - '0');
            power *= 10;
        }
        sum = exact_add(exact_mul(sum, exact_from(power)), exact_from(chunk));
    }
    return negative ? exact_negate(sum) : sum;
}

ratio json_ratio(const json *value) {
    const char *at = value && value->text ? value->text : "0";
    exact num = read_integer(&at), den = exact_power(0);
    if (*at == '/') ++at, den = read_integer(&at);
    return ratio_make(*at || !den.sign ? exact_from(0) : num, den.sign ? den : exact_power(0));
}

/* ---- going through a family ---- */

const char *cases_name(const json *one) {
    const json *id = json_get(one, "id");
    return id && id->text ? id->text : "?";
}

bool cases_is(const json *one, const char *class_or_routine) {
    return json_is(one, "class", class_or_routine) || json_is(one, "routine", class_or_routine);
}

static const char *family_in_hand = "";

const char *cases_family(void) {
    return family_in_hand;
}

void cases_each(const char *family, cases_check *check) {
    json *all = cases_load(family);
    int count = 0;
    family_in_hand = family;
    if (!all) {
        test_skip("tests/cases is read from the repository's root");
        return;
    }
    for (const json *one = all->child; one; one = one->next) {
        exact_pool pool = exact_begin();
        if (!cases_fit(one)) continue;
        test_note("case %s", cases_name(one));
        check(one, json_get(one, "expected"));
        exact_end(pool);
        ++count;
    }
    CHECK(count > 0);
    cases_free(all);
}

int cases_doubles(const json *one, const char *name, double *out, int room) {
    return json_reals(json_get(json_get(one, "input"), name), out, room);
}

int cases_reals(const json *one, const char *name, cd_real *out, int room) {
    double numbers[64];
    int n = cases_doubles(one, name, numbers, 64);
    for (int i = 0; i < n && i < room && i < 64; ++i) out[i] = (cd_real)numbers[i];
    return n;
}

bool cases_fit(const json *one) {
#ifdef COLLIDE_DOUBLE
    (void)one;
    return true;
#else
    return json_is(one, "precision", "f32");
#endif
}
