/* What use.c offers to a main program, in C and C++. */
#ifndef USE_H
#define USE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Uses a little of everything in the library, prints a line, and returns how many answers were wrong. */
int use_float(void);
int use_double(void);

#ifdef __cplusplus
}
#endif

#endif
