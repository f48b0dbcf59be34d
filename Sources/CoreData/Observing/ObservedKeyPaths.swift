@_spi(Engine) import CoreDataRows
import Observation
import Synchronization

/// The type whose properties Observation takes all reads and changes to be of.
///
/// Observation needs an `Observable` type. Managed object classes don't conform by themselves, so that programs may
/// declare the conformance of theirs. Which object is meant follows from the registrar: each observed object has its
/// own.
final class ObservedSubject: Observable, Sendable {
    static let shared = ObservedSubject()

    fileprivate subscript(index: Int) -> Any? { nil }
}

/// The key paths by which Observation tells an object's properties apart, made once for each place in an entity.
enum ObservedKeyPaths {
    typealias Path = any KeyPath<ObservedSubject, Any?> & Sendable

    private static let known = Mutex<[Path]>([])

    static func path(of property: PropertyLayout) -> Path {
        known.withLock { known in
            while known.count <= property.index { known.append(make(known.count)) }
            return known[property.index]
        }
    }

    private static func make(_ index: Int) -> Path { \ObservedSubject.[index] }
}
