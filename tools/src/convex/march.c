#include "convex/march.h"
#include "query/sweep3d.h"

/* Of the caller's own body: no more is known of it than what it answers. */
static double cdi_asked_reach(const cdi_convex *body) {
    double most = 0.0;
    if (body->support->kind != CD_SUPPORT_USER) return 0.0;
    for (int i = 0; i < 6; ++i) {
        double side = i & 1 ? 1.0 : -1.0;
        uint32_t vertex = CD_NONE;
        cdi_v3 d = cdi_v3_make(i < 2 ? side : 0.0, i / 2 == 1 ? side : 0.0, i > 3 ? side : 0.0);
        most = cdi_max(most, cdi_v3_max_abs(cdi_convex_farthest(body, d, &vertex)));
    }
    return most;
}

CDI_FN double cdi_couple_slack(const cdi_couple *pair) {
    double asked = cdi_max(cdi_asked_reach(&pair->a), cdi_asked_reach(&pair->b));
    double most = cdi_max(pair->scale, asked) + pair->rounded, slack = 0.25 * cdi_sweep_slack(most);
    return asked > 0.0 ? cdi_max(slack, 2.0 * (double)CD_REAL_EPSILON * most) : slack;
}

/* Has GJK said at this time all that it can? It has where its bounds no longer come nearer. */
static bool cdi_march_exhausted(cdi_march *m) {
    double width = m->gjk.upper - m->gjk.lower;
    if (m->gjk.end == CDI_GJK_APART) return true;
    m->stalls = width < m->width ? 0 : m->stalls + 1;
    m->width = cdi_min(width, m->width);
    return m->stalls > 4;
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
    limits.touch = m->done;
    limits.tolerance = 0.25 * (m->done - m->goal);
    limits.iterations = 2;
    limits.whole = true;
    m->width = CDI_HUGE;
    while (m->iterations < m->at_most) {
        bool exhausted;
        double until;
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
    cdi_clear(&hint, sizeof hint);
    hint.gjk = m->gjk;
    hint.axes = true;
    if (deep) {
        cdi_convex_apart(m->pair, &limits, &hint, out);
    } else {
        cdi_gjk_run(m->pair, &limits, &hint.gjk);
        cdi_clearance_of_gjk(m->pair, &hint.gjk, out);
        if (!(hint.gjk.lower > 0.0) && !cdi_v3_is_zero(m->axis)) out->normal = m->axis;
    }
    m->iterations += out->iterations;
}
