/* cases.h - the real cases in the JSON files of tests/cases: hard inputs from other projects, with exact answers.
 *
 * A small JSON reader: the whole file as a tree of values. */
#ifndef CASES_H
#define CASES_H

#include "oracle.h"
#include "test.h"

typedef enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_type;

typedef struct json {
    json_type type;
    double number;      /* also for the strings "nan", "inf", "-inf" */
    char *text;         /* a string */
    char *name;         /* of a member */
    struct json *child; /* the first of an array or object */
    struct json *next;  /* the one after it */
} json;

/* ---- reading ---- */

/* One value and nothing after it; NULL for anything else. */
json *cases_parse(const char *text);
/* A family, from tests/cases/NAME.json under the current folder; NULL when it cannot be read. */
json *cases_load(const char *family);
void cases_free(json *value);

/* ---- asking ---- */

const json *json_get(const json *object, const char *name);           /* NULL when there is none */
bool json_is(const json *object, const char *name, const char *text); /* the string member equals */
bool json_true(const json *object, const char *name);
double json_real(const json *object, const char *name); /* NaN when it is no number */
/* The numbers of an array, nested arrays one after another; returns how many there are. */
int json_reals(const json *value, double *out, int room);
int json_length(const json *array); /* how many elements; 0 for anything else */
/* The exact number of a text "p/q" or "p"; lives in the pool of exact numbers. 0/1 for anything else. */
ratio json_ratio(const json *value);

/* ---- going through a family ---- */

typedef void cases_check(const json *one, const json *expected);
/* Runs the check on every case of the family that fits the build, named in the note; at least one must. */
void cases_each(const char *family, cases_check *check);
const char *cases_family(void); /* the one in hand: what judges the answers to ASK */
const char *cases_name(const json *one);
bool cases_is(const json *one, const char *class_or_routine);

/* The numbers of one member of the case's input; returns how many there are. */
int cases_doubles(const json *one, const char *name, double *out, int room);
int cases_reals(const json *one, const char *name, cd_real *out, int room);

/* May the case be fed to this build: always in double, in float when all its numbers are floats? */
bool cases_fit(const json *one);

#endif
