import CMetatypes
import Foundation

/// Makes an object of a class that is known at run time only.
///
/// On Apple's platforms the initialisers of Core Data's classes may be called on metatype values, as `self.init(…)` in a class
/// method is, and subclasses needn't write them. Of a Swift class, only `required` initialisers may be called so, and subclasses
/// must write these once they have one of their own. An initialiser of a protocol's extension is bound by neither rule, but
/// isn't told which class it was called on; so it delegates to one of those below, whose body is in CMetatypes and calls back
/// with the class.
package final class MetatypeConstruction {
    private static let isInstalled: Void = install_metatype_construction()

    fileprivate let make: (AnyClass) -> NSObject?

    package init(_ make: @escaping (AnyClass) -> NSObject?) {
        _ = Self.isInstalled
        self.make = make
    }
}

extension NSObjectProtocol where Self: NSObject {
    package dynamic init(by construction: MetatypeConstruction) {
        fatalError("\(construction) was not made ready.")
    }

    package dynamic init?(ifPossibleBy construction: MetatypeConstruction) {
        fatalError("\(construction) was not made ready.")
    }
}

/// What CMetatypes calls. The construction comes with a reference of its own, and so does the object that is returned.
@_cdecl("construct_object_of_metatype")
func constructObject(_ construction: UnsafeRawPointer, _ metatype: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    let construction = Unmanaged<MetatypeConstruction>.fromOpaque(construction).takeRetainedValue()
    let object = construction.make(unsafeBitCast(metatype, to: AnyClass.self))
    return object.map { Unmanaged.passRetained($0).toOpaque() }
}

extension NSObject {
    @usableFromInline convenience init(plainly: ()) { self.init() }

    /// Makes an object of the class by its `init()`, which needn't be `required`. The program stops where the class lacks it.
    ///
    /// The compiler calls the initialiser above by this symbol, with the class that it is to allocate.
    @_silgen_name("$s10Foundation8NSObjectC0A6CompatE7plainlyACyt_tcfC")
    package static func madePlainly(_ plainly: ()) -> Self
}

extension NSObjectProtocol where Self: NSObject {
    /// Delegates to the `init()` of the class that it is called on.
    package init(plainly: ()) { self.init(by: MetatypeConstruction { ($0 as! NSObject.Type).madePlainly(()) }) }
}

extension NSObjectProtocol where Self == NSObject {
    /// `init()` on a metatype value, as in `(NSClassFromString(name) as? NSObject.Type)?.init()`.
    ///
    /// The parameter keeps it apart from `NSObject.init()`: of two initialisers without any, the compiler would choose neither where it
    /// makes `init(from:)` of a class that is `Decodable`.
    public init(_: Void = ()) { self.init(plainly: ()) }
}

extension NSObjectProtocol where Self: ValueTransformer {
    /// `init()` on a metatype value. The program stops where the class has none.
    public init(_: Void = ()) { self.init(plainly: ()) }
}
