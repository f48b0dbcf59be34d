/// A module that stands in for one of Apple's on Linux, so that sources keep what they import it for.
package enum SubstituteModule: String, Sendable, CaseIterable, Comparable {
    /// Logging and locks: OpenCoreData's product `UnifiedLogging`. It isn't called `os`, as other packages of the program ask
    /// `canImport(os)` and would take it for Apple's.
    case os
    /// The same, as newer sources import it.
    case osLog = "OSLog"
    /// Apple's Combine, as far as OpenCombine has it: a package of its own.
    case combine = "Combine"

    package static func < (left: SubstituteModule, right: SubstituteModule) -> Bool { left.rawValue < right.rawValue }

    /// What stands in for the module: the modules to import in its place.
    var replacements: [String] {
        switch self {
        case .os, .osLog: ["UnifiedLogging"]
        case .combine: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"]
        }
    }

    /// The names of the module that its stand-in lacks. A source that uses one of them is left out.
    var lacking: Set<String> {
        switch self {
        case .os, .osLog:
            [
                "OSSignposter", "OSSignpostID", "OSSignpostIntervalState", "OSSignpostType", "os_signpost",
                "OSLogStore", "OSLogEntry", "OSLogEntryLog", "os_activity_create",
            ]
        case .combine:
            ["Merge5", "Merge6", "Merge7", "Merge8", "TimeGroupingStrategy"]
        }
    }
}
