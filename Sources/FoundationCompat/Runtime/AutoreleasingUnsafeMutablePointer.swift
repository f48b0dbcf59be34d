import Foundation

/// A place for a value that a callee may replace, as `validateValue(_:forKey:)` and `validate<Key>` take it.
///
/// Swift declares this type on Apple's platforms only, and passes `&value` for it. Here a caller says
/// `AutoreleasingUnsafeMutablePointer(&value)`; the pointer is good for that call only.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private let pointer: UnsafeMutablePointer<Pointee>

    /// Points to a variable, for the duration of the call that it is an argument of.
    public init(_ pointer: UnsafeMutablePointer<Pointee>) {
        self.pointer = pointer
    }

    /// Points to a variable of another type of reference, such as that of an object that is there for one that may be missing.
    public init<Value>(_ pointer: UnsafeMutablePointer<Value>) {
        precondition(
            MemoryLayout<Value>.size == MemoryLayout<Pointee>.size,
            "\(Value.self) isn't kept in memory as \(Pointee.self) is")
        self.pointer = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Pointee.self)
    }

    /// The value.
    public var pointee: Pointee {
        get { pointer.pointee }
        nonmutating set { pointer.pointee = newValue }
    }
}

/// A place for an error that a callee may set, or nil; called with `&error` (Apple: `NSErrorPointer`, which older sources and generated
/// ones declare parameters of).
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
