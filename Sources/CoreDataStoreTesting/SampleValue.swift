import CoreData
import Foundation

/// Values to store, and how to tell whether what came back is the same.
enum SampleValue {
    /// Values by attribute of `Sample`: ordinary ones, and those at the limits.
    static var all: [(attribute: String, values: [Any])] {
        [
            ("int16", [0, 1, -1, Int16.max, Int16.min]), ("int32", [0, 42, Int32.max, Int32.min]),
            ("int64", [0, -7, Int64.max, Int64.min]),
            ("decimal", [Decimal(0), Decimal(string: "12345.6789") ?? 0, Decimal(string: "-0.1") ?? 0]),
            ("double", [0.0, 0.1, -1.5e300, Double.leastNonzeroMagnitude]),
            ("float", [Float(0), Float(0.1), Float(-1e30)]),
            ("flag", [true, false]),
            ("text", texts),
            ("date", [0, 0.25, -2_000_000_000, 700_000_000.123].map { Date(timeIntervalSinceReferenceDate: $0) }),
            ("data", [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(repeating: 7, count: 70_000)]),
            (
                "uuid",
                [
                    UUID(uuid: (255, 254, 9, 8, 64, 6, 128, 4, 3, 2, 1, 0, 1, 2, 3, 4)),
                    UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
                ]
            ),
            ("uri", ["https://example.com/a%20b?c=d&e=f#g", "file:///tmp/x", "x:y"].compactMap(URL.init(string:))),
            ("list", [["a", "<&>"] as NSArray, [] as NSArray]),
            ("position", [["x": 1.5, "label": "here"], ["x": -2.0]] as [[String: Any]]),
        ]
    }

    /// Saves a `Sample` for each value, or for so many values of each attribute, with a name that says which.
    static func make(_ count: Int = .max, in context: NSManagedObjectContext) throws {
        for (attribute, values) in all {
            for (number, value) in values.prefix(count).enumerated() {
                context.make("Sample", ["name": "\(attribute) \(number)", attribute: value])
            }
        }
        try context.save()
    }

    private static let texts = [
        "", "plain", " spaces at both ends ", "line\nline\ttab", "carriage\r\nreturn", "quotes \" ' and \\ backslash",
        "<tag attribute=\"1\">&amp;</tag>", "a,b;c::d|e", "Ünï ©ødé", "👩‍👩‍👧‍👧 e\u{301}", "null", "1", "true",
        String(repeating: "long ", count: 5000),
    ]

    /// A value as text: equal texts for equal values of an attribute.
    static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.count > 40 ? "\(data.count) bytes, \(data.hashValue)" : "<\(data.map { $0 })>"
        case let text as String: text.count > 80 ? "\(text.count) characters, \(text.hashValue)" : text.debugDescription
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let decimal as Decimal: decimal.description
        case let number as NSNumber: number.stringValue
        case let list as NSArray: "[\(list.map { text($0) }.joined(separator: ", "))]"
        case let list as [Any]: "[\(list.map { text($0) }.joined(separator: ", "))]"
        case let dictionary as [String: Any]:
            "{\(dictionary.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
        case .some(let other): "\(other)"
        }
    }

    /// Whether a value that was read is the one that was written.
    static func isSame(_ read: Any?, as written: Any?) -> Bool {
        switch (read, written) {
        case (let read as Decimal, let written as Decimal): read == written
        case (let read as NSDecimalNumber, let written as Decimal): read.decimalValue == written
        case (let read as NSNumber, let written as Float): read.floatValue == written
        case (let read as String, let written as String): Array(read.unicodeScalars) == Array(written.unicodeScalars)
        default: text(read) == text(written)
        }
    }
}
