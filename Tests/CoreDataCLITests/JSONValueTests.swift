import Foundation
import Testing

@testable import CoreDataCLI

@Suite("JSON output")
struct JSONValueTests {
    @Test("keys are sorted, and both layouts hold the same document")
    func layouts() throws {
        let value = JSONValue.object(["b": .array([.integer(1), .null]), "a": .object([:]), "c": .array([])])
        #expect(value.text() == #"{"a":{},"b":[1,null],"c":[]}"#)
        let indented = value.text(indented: true)
        #expect(indented.split(separator: "\n").count == 8)
        let read = try JSONSerialization.jsonObject(with: Data(indented.utf8)) as? NSDictionary
        #expect(read == (try JSONSerialization.jsonObject(with: Data(value.text().utf8)) as? NSDictionary))
    }

    @Test("every string is written so that a JSON reader gets it back")
    func strings() throws {
        let controls = String(String.UnicodeScalarView((0..<0x30).compactMap(Unicode.Scalar.init)))
        for string in ["", "\"quoted\" \\ / \n\t", controls, "\u{7F}", "é 🏳️‍🌈 \u{2028}", "\u{FEFF}x"] {
            let text = JSONValue.array([.string(string)]).text()
            let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String]
            #expect(read?.first.map { Array($0.unicodeScalars) } == Array(string.unicodeScalars))
        }
    }

    @Test("numbers are as short as they can be and read back the same")
    func numbers() throws {
        for (number, text) in [
            (0.1, "0.1"), (3, "3"), (-2.5, "-2.5"), (1e21, "1e+21"), (4.099999904632568, "4.099999904632568"),
        ] {
            #expect(JSONValue.number(number).text() == text)
        }
        #expect(JSONValue.number(.infinity).text() == "\"inf\"")
        #expect(JSONValue.integer(.max).text() == "9223372036854775807")
    }

    @Test("values of property lists become JSON")
    func propertyList() {
        #expect(JSONValue(Data([1, 2, 3])).text() == "\"AQID\"")
        #expect(JSONValue(NSNumber(value: true)).text() == "true")
        #expect(JSONValue(NSNumber(value: 1)).text() == "1")
        #expect(JSONValue(NSNumber(value: 1.5)).text() == "1.5")
        #expect(JSONValue(NSNull()).text() == "null")
        #expect(
            JSONValue(["k": [Date(timeIntervalSinceReferenceDate: 0)]]).text() == #"{"k":["2001-01-01T00:00:00.000Z"]}"#
        )
    }
}
