@_spi(Engine) import CoreDataRows
import CSwiftRuntime

/// Overrides of `willChangeValue(forKey:)` and `didChangeValue(forKey:)`, which Apple's accessors call around each change. Its page
/// says not to override them; programs do it all the same, to derive one property from another or to keep a time stamp.
enum ChangeNoticeOverrides {
    private static let inheritedWill = will(NSManagedObject.self)
    private static let inheritedDid = did(NSManagedObject.self)

    /// Whether a class overrides one of the two. Looked up once for an entity.
    @inline(__always)
    static func areOverridden(by objectClass: NSManagedObject.Type, of layout: EntityLayout) -> Bool {
        switch layout.methodsOfClass.load(ordering: .relaxed) {
        case 0: lookUp(objectClass, layout)
        case let known: known == 2
        }
    }

    private static func lookUp(_ objectClass: NSManagedObject.Type, _ layout: EntityLayout) -> Bool {
        let overrides = will(objectClass) != inheritedWill || did(objectClass) != inheritedDid
        layout.methodsOfClass.store(overrides ? 2 : 1, ordering: .relaxed)
        return overrides
    }

    private static func will(_ objectClass: NSManagedObject.Type) -> Int {
        Int(bitPattern: will_change_implementation(unsafeBitCast(objectClass, to: UnsafeRawPointer.self)))
    }

    private static func did(_ objectClass: NSManagedObject.Type) -> Int {
        Int(bitPattern: did_change_implementation(unsafeBitCast(objectClass, to: UnsafeRawPointer.self)))
    }
}

extension NSManagedObject {
    /// Makes a change of one property between the two calls.
    @inline(never)
    final func announced<Result>(_ property: PropertyLayout, _ change: () -> Result) -> Result {
        announce(property) { willChangeValue(forKey: property.name) }
        let result = observably([property], change)
        reportChange()
        announce(property) { didChangeValue(forKey: property.name) }
        return result
    }

    /// What the inherited methods do besides is the accessor's work while it calls them.
    private func announce(_ property: PropertyLayout, _ call: () -> Void) {
        let state = writableState
        let outer = state.announcedKey
        state.announcedKey = property.name
        call()
        state.announcedKey = outer
    }

    /// Whether an accessor calls `willChangeValue(forKey:)` or `didChangeValue(forKey:)`, and not the program.
    @inline(__always)
    final func isAnnouncing(_ key: String) -> Bool { flags.contains(.announcesChanges) && state?.announcedKey == key }
}
