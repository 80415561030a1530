#include "convex/march.h"
#include "query/sweep3d.h"
#ifdef DBGM
#define DBG1 DBGM("  t %.17g lower %.10g upper %.10g goal %g done-goal %g end %d count %d it %d\n", m->t, m->gjk.lower, m->gjk.upper, m->goal, m->done-m->goal, (int)m->gjk.end, m->gjk.count, m->gjk.iterations);
#else
#define DBG1
#endif

#ifndef CDI_MARCH_WORTH
#define CDI_MARCH_WORTH 0.125
#define CDI_MARCH_STEPS 2
#endif

CDI_FN double cdi_couple_slack(const cdi_couple *pair) {
    double most = pair->scale + pair->rounded, slack = 0.25 * cdi_sweep_slack(most);
    bool asked = pair->a.support->kind == CD_SUPPORT_USER || pair->b.support->kind == CD_SUPPORT_USER;
    return asked ? cdi_max(slack, 4.0 * (double)CD_REAL_EPSILON * most) : slack;
}

/* Is the gap that was found worth a step? Else GJK goes on; it has an end. */
static bool cdi_march_gains(const cdi_march *m) {
    double found = m->gjk.lower - m->goal;
    return found > 0.0 && (m->gjk.end != CDI_GJK_STOPPED || found > CDI_MARCH_WORTH * (m->gjk.upper - m->goal));
}

CDI_FN cdi_march_end cdi_march_run(cdi_march *m) {
    cdi_gjk_limits limits;
    limits.enough = CDI_HUGE;
    limits.touch = m->done;
    limits.tolerance = 0.25 * (m->done - m->goal);
    limits.iterations = CDI_MARCH_STEPS;
    while (m->iterations < m->at_most) {
        double until;
        cdi_gjk_run(m->pair, &limits, &m->gjk);
        DBG1
        m->iterations += m->gjk.iterations > 0 ? m->gjk.iterations : 1u;
        if (m->gjk.end == CDI_GJK_INSIDE || m->gjk.upper <= m->done) return CDI_MARCH_CONTACT;
        if (!cdi_march_gains(m)) {
            if (m->gjk.end == CDI_GJK_APART) return CDI_MARCH_CONTACT;
            continue;
        }
        m->axis = m->gjk.axis;
        until = m->clear(m, m->gjk.lower - m->goal);
        if (until >= m->t_end) return CDI_MARCH_APART;
        if (!(until > m->t)) return CDI_MARCH_CONTACT;
        m->place(m, until);
        m->t = until;
    }
    return CDI_MARCH_STOPPED;
}

/* ---- what is true there ---- */

static void cdi_meeting_points(const cdi_couple *pair, const cdi_gjk *g, cdi_meeting *out) {
    out->a = out->b = cdi_v3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < g->count; ++i) {
        out->a = cdi_v3_along(out->a, g->tip[i].a, g->weight[i]);
        out->b = cdi_v3_along(out->b, g->tip[i].b, g->weight[i]);
    }
    out->a = cdi_v3_along(out->a, out->normal, pair->a.radius);
    out->b = cdi_v3_along(out->b, out->normal, 0.0 - pair->b.radius);
}

static void cdi_meeting_features(const cdi_couple *pair, const cdi_gjk *g, cdi_meeting *out) {
    uint32_t a[4], b[4];
    for (int i = 0; i < g->count; ++i) {
        a[i] = g->tip[i].vertex_a;
        b[i] = g->tip[i].vertex_b;
    }
    out->feature_a = cdi_convex_feature(&pair->a, a, g->count);
    out->feature_b = cdi_convex_feature(&pair->b, b, g->count);
}

CDI_FN void cdi_march_meeting(cdi_march *m, cdi_meeting *out) {
    cdi_gjk_limits limits;
    limits.enough = CDI_HUGE;
    limits.touch = 0.0;
    limits.tolerance = 0.0;
    limits.iterations = 0;
    cdi_gjk_run(m->pair, &limits, &m->gjk);
    m->iterations += m->gjk.iterations;
    out->normal = m->gjk.axis;
    if (!cdi_v3_is_zero(m->axis) && (m->gjk.end == CDI_GJK_INSIDE || !(m->gjk.lower > 0.0)))
        out->normal = m->axis;
    out->lower = m->gjk.lower - m->pair->rounded;
    out->upper = m->gjk.upper - m->pair->rounded;
    cdi_meeting_points(m->pair, &m->gjk, out);
    cdi_meeting_features(m->pair, &m->gjk, out);
}

CDI_FN void cdi_meeting_deep(const cdi_couple *pair, cdi_meeting *out) {
    (void)pair;
    (void)out;
}
