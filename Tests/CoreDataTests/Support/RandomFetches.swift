// Most of the suites here take random numbers from it.
@_exported import RandomFetches
