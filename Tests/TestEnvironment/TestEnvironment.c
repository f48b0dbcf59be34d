#include <stdlib.h>

// What programs read from their environment when they begin, so that this comes before anything in Swift runs. What the
// environment says already counts.
__attribute__((constructor)) static void setEnvironment(void) {
    // The tests keep to the queues of their contexts as programs must, and stop where one doesn't.
    setenv("COREDATA_CONCURRENCY_DEBUG", "1", 0);
    // Many tests start processes that have to stop, and to find names for the call stack of each takes seconds. This process has
    // read the variable already, so that a crash of its own is described.
    setenv("SWIFT_BACKTRACE", "enable=no", 0);
}
