import Foundation

// Client code says `date as CVarArg` for the arguments of formats: on Apple's platforms these types bridge to objects,
// which are passed by reference. Foundation on Linux knows such values by `_CVarArgObject`.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// What `%@` stands for in a text's format: Foundation on Linux describes objects of its own classes alone, and stops at others,
    /// errors among them. Predicates take the object itself.
    public var _cVarArgObject: any CVarArg { (self as? NSString) ?? NSString(string: description) }

    /// The address, as C's variable arguments pass an object. The caller keeps the object alive.
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSDate`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { self as NSDate }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSUUID`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { self as NSUUID }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSURL`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { self as NSURL }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSData`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { self as NSData }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSDecimalNumber`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { NSDecimalNumber(decimal: self) }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSArray`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { NSArray(array: self) }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSSet`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg { NSSet(array: Array(self)) }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
    /// The value as an `NSDictionary`, which formats take as an argument.
    public var _cVarArgObject: any CVarArg {
        NSDictionary(objects: Array(values), forKeys: keys.map { ($0 as? NSObject) ?? "\($0)" as NSString })
    }

    /// The address of the object that stands for the value.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}
