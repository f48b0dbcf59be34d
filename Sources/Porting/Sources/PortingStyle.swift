/// For whom a source is rewritten.
package enum PortingStyle: Sendable {
    /// For people, and for both platforms: what only Apple's has stays, under a condition.
    case portable
    /// For the compiler on Linux: what it refuses is gone, and everything else stays in its line.
    case overlay
}
