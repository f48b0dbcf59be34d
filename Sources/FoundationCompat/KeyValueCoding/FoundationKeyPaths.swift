import Foundation

/// The names of the properties of Foundation's classes that key-value coding knows: Apple's have theirs by Objective-C.
enum FoundationKeyPaths {
    static func names() -> [AnyKeyPath: String] {
        let tables: [[AnyKeyPath: String]] = [numbers, strings, collections, others]
        return tables.reduce(into: [:]) { names, table in names.merge(table) { first, _ in first } }
    }

    private static var numbers: [AnyKeyPath: String] {
        [
            \NSNumber.stringValue: "stringValue", \NSNumber.boolValue: "boolValue",
            \NSNumber.int8Value: "charValue", \NSNumber.int16Value: "shortValue",
            \NSNumber.int32Value: "intValue", \NSNumber.intValue: "integerValue",
            \NSNumber.int64Value: "longLongValue", \NSNumber.uintValue: "unsignedIntegerValue",
            \NSNumber.uint32Value: "unsignedIntValue", \NSNumber.uint64Value: "unsignedLongLongValue",
            \NSNumber.floatValue: "floatValue", \NSNumber.doubleValue: "doubleValue",
            \NSNumber.decimalValue: "decimalValue",
        ]
    }

    private static var strings: [AnyKeyPath: String] {
        [
            \NSString.length: "length", \NSString.intValue: "intValue", \NSString.integerValue: "integerValue",
            \NSString.longLongValue: "longLongValue", \NSString.floatValue: "floatValue",
            \NSString.doubleValue: "doubleValue", \NSString.boolValue: "boolValue",
            \NSString.uppercased: "uppercaseString", \NSString.lowercased: "lowercaseString",
            \NSString.capitalized: "capitalizedString", \NSString.lastPathComponent: "lastPathComponent",
            \NSString.pathExtension: "pathExtension",
        ]
    }

    private static var collections: [AnyKeyPath: String] {
        [
            \NSArray.count: "count", \NSSet.count: "count", \NSOrderedSet.count: "count", \NSOrderedSet.array: "array",
            \NSDictionary.count: "count", \NSDictionary.allKeys: "allKeys", \NSDictionary.allValues: "allValues",
        ]
    }

    private static var others: [AnyKeyPath: String] {
        [
            \NSObject.description: "description", \NSObject.hash: "hash", \NSData.length: "length",
            \NSUUID.uuidString: "UUIDString",
            \NSDate.timeIntervalSinceReferenceDate: "timeIntervalSinceReferenceDate",
            \NSDate.timeIntervalSince1970: "timeIntervalSince1970",
            \NSDate.timeIntervalSinceNow: "timeIntervalSinceNow",
            \NSURL.absoluteString: "absoluteString", \NSURL.path: "path", \NSURL.host: "host",
            \NSURL.scheme: "scheme", \NSURL.query: "query", \NSURL.fragment: "fragment",
            \NSURL.lastPathComponent: "lastPathComponent", \NSURL.pathExtension: "pathExtension",
        ]
    }
}
