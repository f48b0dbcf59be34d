import Foundation

/// The sanitizer that the tests were built with, if any: it makes some work many times slower, such as finding the line of an address
/// in a program's symbols.
package enum Sanitizer {
    /// Whether there is one: its run-time library is in the process.
    package static let isOn = ["__asan_init", "__tsan_init"].contains { dlsym(nil, $0) != nil }
}
