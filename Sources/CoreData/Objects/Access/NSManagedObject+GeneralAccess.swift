@_spi(Engine) import CoreDataRows
import Foundation

// What generated accessors call for types that the generator can't tell the kind of property from.
extension NSManagedObject {
    /// The destination of a to-one relationship, as an object of the class that the property is declared with.
    ///
    /// The program stops where the object is of another class: the declaration, or the model's class name, is wrong.
    @_spi(GeneratedCode) public final func objectValue<Object: NSManagedObject>(
        for key: ManagedPropertyKey, as type: Object.Type = Object.self
    ) -> Object? {
        guard let object = objectValue(for: key) else { return nil }
        guard let typed = object as? Object else { unacceptable(object, for: key, as: type) }
        return typed
    }

    /// The members of a to-many relationship, as objects of the class that the property is declared with.
    ///
    /// The program stops where one of them is of another class.
    @_spi(GeneratedCode) public final func objectSet<Object: NSManagedObject>(
        for key: ManagedPropertyKey, as type: Object.Type = Object.self
    ) -> Set<Object>? {
        let property = read(key)
        guard property.kind == .toMany, !property.isOrdered else { return value(for: key, as: Set<Object>.self) }
        let members = members(property).members
        for object in members where !(object is Object) { unacceptable(object, for: key, as: Object.self) }
        // A set of objects is laid out by its elements' addresses and hash values, whatever class its type names, and each of
        // these is of that class: a cast would hash all of them anew.
        return unsafeBitCast(members, to: Set<Object>.self)
    }

    /// Sets the destination of a to-one relationship and keeps the inverse up.
    @_spi(GeneratedCode) public final func setObjectValue(_ value: NSManagedObject?, for key: ManagedPropertyKey) {
        setAnyValue(value, for: key)
    }

    /// The value of any property in the type that it is declared with.
    ///
    /// Numbers, strings, dates, data and collections come in Swift's types or Foundation's classes as asked for, and
    /// types with raw values are made of them. A to-many relationship that is declared as a mutable set is a live view of
    /// it. The program stops where the value is of another type: the declaration doesn't fit the model.
    @_spi(GeneratedCode) public final func value<Value>(for key: ManagedPropertyKey, as type: Value.Type = Value.self)
        -> Value?
    {
        let property = read(key)
        if property.kind == .toMany, let view = mutableView(of: property, as: type) { return view }
        guard let value = primitiveValue(of: property) else { return nil }
        guard let converted = Self.converted(value, to: type) else { unacceptable(value, for: key, as: type) }
        return converted
    }

    /// Sets any property; types with raw values are stored as those unless the attribute is transformable.
    @_spi(GeneratedCode) public final func setGeneralValue<Value>(_ value: Value?, for key: ManagedPropertyKey) {
        let property = stored(key)
        setValue(Self.stored(value, in: property), of: property)
    }

    /// The value of a property without firing faults' events or notifying observers.
    @_spi(GeneratedCode) public final func primitiveValue<Value>(
        for key: ManagedPropertyKey, as type: Value.Type = Value.self
    )
        -> Value?
    {
        primitiveCollection(of: read(key)) as? Value ?? value(for: key, as: type)
    }

    /// Sets the value of a property without notifying observers and without keeping the inverse up.
    @_spi(GeneratedCode) public final func setPrimitiveValue<Value>(_ value: Value?, for key: ManagedPropertyKey) {
        setPrimitiveValue(Self.stored(value, in: stored(key)), forKey: key.name)
    }

    /// A value that the property's declaration says is always there.
    ///
    /// Where it isn't, an object without values stands for a managed object; for anything else the program stops: declare the
    /// property optional.
    @_spi(GeneratedCode) public final func requiredValue<Value>(_ value: Value?, for key: ManagedPropertyKey) -> Value {
        if let value { return value }
        if let objectClass = Value.self as? NSManagedObject.Type,
            let absent = AbsentObject.make(for: read(key), of: self, as: objectClass) as? Value
        {
            return absent
        }
        fatalError(
            "The property \"\(key.name)\" of \(layout.name) has no value, and its declaration is not optional.")
    }

    private static func stored(_ value: Any?, in property: PropertyLayout) -> Any? {
        switch property.kind {
        case .transformable, .undefined, .composite: value
        default: (value as? any RawRepresentable)?.rawValue ?? value
        }
    }

    private func mutableView<Value>(of property: PropertyLayout, as type: Value.Type) -> Value? {
        if type == NSMutableSet.self { return mutableSetValue(forKey: property.name) as? Value }
        if type == NSMutableOrderedSet.self { return mutableOrderedSetValue(forKey: property.name) as? Value }
        return nil
    }

    private static func converted<Value>(_ value: Any, to type: Value.Type) -> Value? {
        if let same = value as? Value { return same }
        if let set = value as? Set<NSManagedObject> {
            // What is asked for is a class of Foundation, or an array.
            return NSSet(set: set) as? Value ?? Array(set) as? Value
        }
        if let set = value as? NSOrderedSet {
            return set.array as? Value ?? Set(set.array as? [NSManagedObject] ?? []) as? Value ?? NSSet(
                array: set.array) as? Value
        }
        // On Apple's platforms any number passes for the class that the declaration names.
        if type == NSDecimalNumber.self, let number = value as? NSNumber {
            return NSDecimalNumber(decimal: DecimalStorage.plainDecimal(of: number)) as? Value
        }
        guard let rawRepresentable = type as? any RawRepresentable.Type else { return nil }
        return madeOfRawValue(value, rawRepresentable) as? Value
    }

    private static func madeOfRawValue<Value: RawRepresentable>(_ raw: Any, _ type: Value.Type) -> Value? {
        (raw as? Value.RawValue).flatMap(Value.init(rawValue:))
    }

    private func unacceptable(_ value: Any, for key: ManagedPropertyKey, as wanted: Any.Type) -> Never {
        fatalError(
            "The property \"\(key.name)\" of \(layout.name) has a value of \(type(of: value)), but is declared as "
                + "\(wanted).")
    }
}
