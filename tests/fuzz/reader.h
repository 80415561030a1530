/* reader.h - an example's source, to have its readers fuzzed: included first, with the example after it. Its main is called otherwise, its files are
 * the text in hand, what it complains about is not shown, and the library is that of all targets. */
#ifndef READER_H
#define READER_H

#include "fuzz.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLLIDE_IMPLEMENTED

FILE *reader_open(const char *name, const char *mode);
int reader_print(FILE *file, const char *format, ...);
int reader_vprint(FILE *file, const char *format, va_list arguments);

/* A target's name of its own for what is read, with what there has to be of it. */
bool reader_mesh_tool(const char *name, cd_mesh_view *out);
bool reader_distance_slice(const char *name, cd_mesh_view *out);
bool reader_fit_volumes(const char *name, cd_mesh_view *out);
bool reader_hull(const char *name, cd_mesh_view *out);

/* For the examples alone: the targets keep the library's own names. */
#ifdef READER_EXAMPLE
#define main           reader_main
#define fopen          reader_open
#define fprintf        reader_print
#define vfprintf       reader_vprint
#define fputc(c, file) ((void)0)
static int reader_main(int argc, char **argv);
#endif

#endif
