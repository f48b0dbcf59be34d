#include <stdlib.h>

// Most tests use a context of their own from one task, without perform, which the check of queues would stop. The check is
// read once, so this comes before anything in Swift runs; tests of the check itself say what they want in their processes.
__attribute__((constructor)) static void leaveContextsUnchecked(void) {
    setenv("COREDATA_CONCURRENCY_DEBUG", "0", 0);
}
