#include <stdlib.h>

// The tests keep to the queues of their contexts as programs must, and stop where one doesn't. The check is read once, so this
// comes before anything in Swift runs. What the environment says already counts.
__attribute__((constructor)) static void checkContexts(void) {
    setenv("COREDATA_CONCURRENCY_DEBUG", "1", 0);
}
