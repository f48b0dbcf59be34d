@_spi(Engine) import CoreDataRows
import Observation
import Synchronization

/// What Observation is told that reads and changes are of.
///
/// It wants to be told of an `Observable` type, and managed object classes aren't of one by themselves, so that programs may
/// declare it of theirs; whose reads they are is told by the registrar, of which each object that is followed has its own.
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
