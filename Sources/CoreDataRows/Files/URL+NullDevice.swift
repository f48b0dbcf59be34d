import Foundation

extension URL {
    /// Whether a store here is one in memory: at `/dev/null`, or under a name below it, as Apple's CareKit gives its stores names.
    package var isNullDevice: Bool { path == "/dev/null" || path.hasPrefix("/dev/null/") }
}
