#pragma once
/* march (internal): two convex bodies that move, and the time up to which they are proven apart (Mirtich 1996; van den Bergen 2004).
 *
 * Any direction that parts the two at a time keeps them apart for a while after it: as long as its gap is not used up. What a gap is
 * worth depends on how they move, and is told by `clear`. GJK finds the directions, from where it left off at the time before, and each
 * moves the time on: it is never beyond the first contact. Where the motion is straight this is Newton's iteration on the distance,
 * which is convex: it comes from the left and converges quadratically, or halves the way where the contact is a grazing one. */

#include "convex/apart3d.h"

typedef struct cdi_march cdi_march;

struct cdi_march {
    cdi_couple *pair; /* as the two are at time t */
    double t, t_end;
    double goal; /* cores nearer than this are in contact */
    double done; /* ... and as near as this is near enough: a little more */
    double (*clear)(cdi_march *m,
                    double gap); /* they are apart up to this time, by gjk.axis; may be beyond t_end */
    void (*place)(cdi_march *m, double t); /* moves the pair, and the simplex of gjk with it */
    cdi_gjk gjk;
    cdi_v3 axis;                  /* the direction that moved the time last; zero at first */
    uint32_t iterations, at_most; /* of GJK */
    double width;                 /* how near its bounds have come at t ... */
    int stalls;                   /* ... and how often they have not come nearer since */
};

typedef enum cdi_march_end {
    CDI_MARCH_APART,   /* all the way to t_end */
    CDI_MARCH_CONTACT, /* at t, or so near that rounding cannot tell */
    CDI_MARCH_STOPPED  /* the iterations are used up; apart before t */
} cdi_march_end;

CDI_FN cdi_march_end cdi_march_run(cdi_march *m);

/* What is true of the contact that a march ended with, in the frame of the pair; where the two began in it, `deep`, with the nearest way
 * out: -lower along the normal parts them. */
CDI_FN void cdi_march_meeting(cdi_march *m, bool deep, cdi_clearance *out);

/* How much two bodies count as grown: as in sweeps (query/sweep3d); more where a body of the caller's own is asked in floats. */
CDI_FN double cdi_couple_slack(const cdi_couple *pair);
