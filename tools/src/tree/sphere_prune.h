#pragma once
/* sphere_prune (internal): sphere trees by generating many spheres and keeping few (Ericson 6.4.5; "expand and select": Bradshaw
 * and O'Sullivan 2004, "Adaptive medial-axis approximation for sphere-tree construction").
 *
 * For each node spheres are thought of about points of its surface and about inner points: centres of balls that touch the
 * surface from behind and hold none of it, so towards its medial axis. All are expanded to one and the same radius, the least
 * for which eight of them cover the node's triangles; the eight are chosen greedily, the one that covers most of what is left first. A
 * triangle goes to the one that has to be least large to hold it; the eight then move to the middles of what they have, and deal anew, a few times. Nodes of many triangles are judged by 256 clusters,
 * so that the work at each is bounded.
 */

#include "tree/sphere_plan.h"

CDI_FN cd_status cdi_plan_prune(cdi_plan *p);
