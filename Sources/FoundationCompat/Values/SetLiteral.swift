import Foundation

/// A set of Foundation's that is made of a literal, as NSArray and NSOrderedSet are on Linux too:
/// `author.books = [dune]` where Xcode declares `NSSet?`.
public protocol SetLiteral: ExpressibleByArrayLiteral where ArrayLiteralElement == Any {}

extension SetLiteral {
    /// The set of the literal's elements. A mutable set and a counted one are made where those are asked for; the program stops
    /// for subclasses of its own.
    public init(arrayLiteral elements: Any...) {
        let set: NSSet =
            switch Self.self {
            case is NSCountedSet.Type: NSCountedSet(array: elements)
            case is NSMutableSet.Type: NSMutableSet(array: elements)
            default: NSSet(array: elements)
            }
        // Only NSSet's subclasses adopt the protocol.
        self = set as! Self
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSSet: SetLiteral, @retroactive ExpressibleByArrayLiteral {
    /// What a literal's elements are.
    public typealias ArrayLiteralElement = Any
}
