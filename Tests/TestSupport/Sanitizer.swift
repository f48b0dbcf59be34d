import Foundation

/// The sanitizer that the tests were built with, if any: it makes some work many times slower, such as finding the line of an address
/// in a program's symbols.
package enum Sanitizer {
    /// Whether there is one: its run-time library is in the process.
    package static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
