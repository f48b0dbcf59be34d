import Foundation

extension URL {
    /// Whether a store here is one in memory: at `/dev/null`, or under a name below it, as Apple's CareKit gives its stores names.
    package var isNullDevice: Bool { isNullDeviceItself || path.hasPrefix("/dev/null/") }

    /// Whether this is the device, which a program that has destroyed a store would remove next where the machine lets it.
    package var isNullDeviceItself: Bool { path == "/dev/null" }
}
