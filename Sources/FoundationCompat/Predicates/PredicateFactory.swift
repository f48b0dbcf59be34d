import Foundation

/// Gives `NSPredicate` initialisers that answer the fitting subclass.
///
/// A class initialiser can only make an instance of the class that it was called on; one in an extension of a
/// protocol may assign `self`. No type but `NSPredicate` adopts this.
public protocol PredicateFactory {}

extension PredicateFactory where Self: NSPredicate {
    /// The predicate that a format string describes, with an argument for each `%@`, `%K`, `%d` and so on.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception. A string that comes
    /// from outside belongs into `NSPredicate.parse(_:_:)`.
    public init(format predicateFormat: String, _ args: Any?...) {
        self.init(format: predicateFormat, argumentArray: args.map { $0 ?? NSNull() })
    }

    /// The predicate that a format string describes, with its arguments in an array.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        do {
            let predicate = try NSPredicate.parse(predicateFormat, argumentArray: arguments ?? [])
            // One predicate may stand for all of a compound.
            let whole =
                Self.self == NSCompoundPredicate.self && !(predicate is NSCompoundPredicate)
                ? NSCompoundPredicate(andPredicateWithSubpredicates: [predicate]) : predicate
            guard let own = whole as? Self else {
                fatalError("The format \"\(predicateFormat)\" makes a \(type(of: predicate)), not a \(Self.self)")
            }
            self = own
        } catch {
            fatalError("\(error)")
        }
    }
}
