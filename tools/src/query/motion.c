#include "query/motion.h"
