import Foundation

// Safe: nothing of it changes, and the closure is Sendable.
/// A method that Objective-C's run time finds by its selector on Apple's platforms. Generated code registers those that a
/// target's managed objects and migration policies declare with `@objc`.
public struct DeclaredMethod: @unchecked Sendable {
    let objectClass: AnyClass
    /// The selector; that of a class method behind a plus sign.
    let name: String
    private let call: @Sendable (AnyObject?, Arguments) throws -> Any?

    /// What a method is called with.
    public struct Arguments {
        let selector: String
        let values: [Any?]

        /// An argument in the type that the method declares.
        ///
        /// - Throws: an error that names method and argument, where it is of another type, or missing.
        public subscript<Value>(index: Int) -> Value {
            get throws {
                let value = Optional.flattened(values[index]).flatMap { isNull($0) ? nil : $0 }
                guard let value else {
                    guard let none = Value.self as? any ExpressibleByNilLiteral.Type else {
                        throw WrongArgumentError(selector: selector, index: index, wanted: Value.self, value: nil)
                    }
                    return none.init(nilLiteral: ()) as! Value
                }
                if let fitting = value as? Value { return fitting }
                // On Apple's platforms any number passes for the class that the method declares.
                if let number = value as? NSNumber,
                    let fitting = NSDecimalNumber(decimal: NumericValue(number).decimalValue) as? Value
                {
                    return fitting
                }
                throw WrongArgumentError(selector: selector, index: index, wanted: Value.self, value: value)
            }
        }
    }

    /// Takes a method of a class, and its selector.
    public init<Object: AnyObject>(
        _ selector: String, of objectClass: Object.Type,
        _ call: @escaping @Sendable (Object, Arguments) throws -> Any?
    ) {
        self.objectClass = objectClass
        name = selector
        self.call = { object, arguments in
            guard let object = object as? Object else { throw UnknownSelectorError(object, selector: selector) }
            return try call(object, arguments)
        }
    }

    /// Takes a method or property without arguments of a class itself, and its selector.
    public init(ofClass objectClass: AnyClass, _ selector: String, _ call: @escaping @Sendable () -> Any?) {
        self.objectClass = objectClass
        name = "+" + selector
        self.call = { _, _ in call() }
    }

    /// - Parameter object: nil for a method of the class.
    func callAsFunction(_ object: AnyObject?, _ arguments: [Any?]) throws -> Any? {
        guard arguments.count == name.count(where: { $0 == ":" }) else {
            throw UnknownSelectorError(object, selector: name)
        }
        return Optional.flattened(try call(object, Arguments(selector: name, values: arguments)))
    }
}

/// An expression calls a method with what it can't take.
struct WrongArgumentError: Error, CustomStringConvertible {
    let description: String

    init(selector: String, index: Int, wanted: Any.Type, value: Any?) {
        let given = value.map { "\(type(of: $0)) (\($0))" } ?? "nil"
        description = "The argument \(index + 1) of \(selector) has to be a \(wanted), and is \(given)."
    }
}
