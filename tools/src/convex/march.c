#include "convex/march.h"
#include "query/sweep3d.h"

/* Is it the caller's own? In the float build it is asked along a rounded direction. */
static double cdi_is_asked(const cdi_convex *body) {
    return body->support->kind == CD_SUPPORT_USER ? 1.0 : 0.0;
}

CDI_FN double cdi_couple_slack(const cdi_couple *pair) {
    double most = pair->scale + pair->rounded, asked = cdi_is_asked(&pair->a) + cdi_is_asked(&pair->b);
    return cdi_max(0.25 * cdi_sweep_slack(most), asked * 2.0 * (double)CD_REAL_EPSILON * most);
}

#define CDI_MARCH_STALLS 4

/* Has GJK said at this time all that it can? It has where its bounds no longer come nearer. */
static bool cdi_march_exhausted(cdi_march *m) {
    double width = m->gjk.upper - m->gjk.lower;
    if (m->gjk.end == CDI_GJK_APART) return true;
    m->stalls = width < m->width ? 0 : m->stalls + 1;
    m->width = cdi_min(width, m->width);
    return m->stalls > CDI_MARCH_STALLS + 1;
}

/* Is the gap that was found worth a step? Else GJK goes on. */
static bool cdi_march_gains(const cdi_march *m, bool exhausted) {
    double found = m->gjk.lower - m->goal;
    return found > 0.0 && (exhausted || found > 0.125 * (m->gjk.upper - m->goal));
}

static void cdi_march_step(cdi_march *m, double until) {
    m->place(m, until);
    m->t = until;
    m->width = CDI_HUGE;
    m->stalls = 0;
}

CDI_FN cdi_march_end cdi_march_run(cdi_march *m) {
    cdi_gjk_limits limits;
    limits.enough = CDI_HUGE;
    limits.shallow = -CDI_HUGE;
    limits.touch = m->done;
    limits.tolerance = 0.25 * (m->done - m->goal);
    limits.whole = true;
    m->width = CDI_HUGE;
    while (m->iterations < m->at_most) {
        bool exhausted;
        double until;
        limits.iterations = m->stalls > CDI_MARCH_STALLS ? 0 : 2; /* the last time to its end */
        cdi_gjk_run(m->pair, &limits, &m->gjk);
        m->iterations += m->gjk.iterations > 0 ? m->gjk.iterations : 1u;
        if (m->gjk.end == CDI_GJK_INSIDE || m->gjk.upper <= m->done) return CDI_MARCH_CONTACT;
        exhausted = cdi_march_exhausted(m);
        if (!cdi_march_gains(m, exhausted)) {
            if (exhausted) return CDI_MARCH_CONTACT;
            continue;
        }
        m->axis = m->gjk.axis;
        until = m->clear(m, m->gjk.lower - m->goal);
        if (until >= m->t_end) return CDI_MARCH_APART;
        if (!(until > m->t)) return CDI_MARCH_CONTACT;
        cdi_march_step(m, until);
    }
    return CDI_MARCH_STOPPED;
}

/* ---- what is true there ---- */

CDI_FN void cdi_march_meeting(cdi_march *m, bool deep, cdi_clearance *out) {
    cdi_gjk_limits limits;
    cdi_apart_hint hint;
    cdi_clear(&limits, sizeof limits);
    limits.enough = CDI_HUGE;
    limits.shallow = -CDI_HUGE;
    cdi_clear(&hint, sizeof hint);
    hint.gjk = m->gjk;
    if (deep) {
        cdi_convex_apart(m->pair, &limits, &hint, out);
    } else {
        cdi_gjk_run(m->pair, &limits, &hint.gjk);
        cdi_clearance_of_gjk(m->pair, &hint.gjk, out);
        if (!(hint.gjk.lower > 0.0) && !cdi_v3_is_zero(m->axis)) out->normal = m->axis;
    }
    m->iterations += out->iterations;
}

#undef CDI_MARCH_STALLS
