import CoreData
import Foundation

/// Objects of ``CompanyModel`` with the values that computers get wrong.
enum PeculiarCompany {
    static let names: [String?] = [
        "Straße", "STRASSE", "strasse", "caf\u{E9}", "cafe\u{301}", "cafe", "CAF\u{C9}", "\u{130}stanbul", "istanbul",
        "ISTANBUL", "\u{131}stanbul", "Ελλάδα", "ελλαδα", "ΕΛΛΆΔΑΣ", "ελλάδας", "東京", "Привет", "привет", "a*b", "a?b",
        "a\\b", "axb", "100%", "under_score", "", " ", "co-op", "coop", "\u{FB01}n", "fin", "👩‍👩‍👧", "👩", "o'Brien",
        "\"quoted\"", "line\nbreak", "Zoë", "zoe", "Å", "\u{212B}", "A\u{30A}", "10", "9", "Ω", "ω", nil,
    ]

    static let salaries = [
        "0", "-1", "0.1", "0.2", "0.30", "10.11", "99999999999999999999999999999999999999",
        "0.00000000000000000000000001",
        "-12345678901234567890.123456789", "9223372036854775807", "9223372036854775808",
    ].map { Decimal(string: $0)! }

    static func fill(_ context: NSManagedObjectContext) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        func make(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            objects.append(object)
            return object
        }
        let sites = ["Kraków", "Lund", nil].enumerated().map { number, city in
            make("Site", ["city": city, "page": URL(string: "https://example.org/\(number)?q=ä#\(number)")])
        }
        let departments = (0..<6).map { number in
            make(
                "Department",
                [
                    "name": names[number * 3], "code": number == 5 ? nil : Self.code(number),
                    "isOpen": number == 4 ? nil : number.isMultiple(of: 2),
                    "site": number == 3 ? nil : sites[number % 3],
                ])
        }
        for number in 1..<6 where number != 4 {
            departments[number].setValue(departments[number / 2], forKey: "parent")
        }
        var staff: [NSManagedObject] = []
        for (number, name) in names.enumerated() {
            let person = make(number.isMultiple(of: 4) ? "Manager" : "Employee", ["name": name])
            staff.append(person)
            if !number.isMultiple(of: 7) { person.setValue(date(number), forKey: "born") }
            if !number.isMultiple(of: 5) { person.setValue(salaries[number % salaries.count], forKey: "salary") }
            if !number.isMultiple(of: 6) { person.setValue(number - 10, forKey: "level") }
            if number.isMultiple(of: 3) { person.setValue(["x\(number % 2)", "y"], forKey: "tags") }
            if !number.isMultiple(of: 8) {
                person.setValue(["floor": number % 3, "room": names[number % 9] as Any], forKey: "place")
            }
            if !number.isMultiple(of: 9) { person.setValue(departments[number % 5], forKey: "department") }
            if number.isMultiple(of: 4) {
                person.setValue(Double(number) * 1.5, forKey: "budget")
                if number < 16 { departments[number / 4].setValue(person, forKey: "lead") }
            }
            if number.isMultiple(of: 2) {
                let badge = make(
                    "Badge",
                    [
                        "number": Int64(number) << 52, "photo": Data([UInt8(number), 0, 255]),
                        "weight": Float(number) / 3,
                    ])
                person.setValue(badge, forKey: "badge")
            }
            person.setValue(Set(departments.filter { place(of: $0, in: objects) % 4 == number % 4 }), forKey: "helps")
        }
        for number in stride(from: 0, to: staff.count - 1, by: 3) {
            staff[number].setValue(Set([staff[number + 1], staff[(number * 2) % staff.count]]), forKey: "friends")
        }
        _ = make("Person", ["name": "cafe"])
        _ = make("Person", [:])
        return objects
    }

    private static func place(of object: NSManagedObject, in objects: [NSManagedObject]) -> Int {
        objects.firstIndex { $0 === object } ?? 0
    }

    static func code(_ number: Int) -> UUID { UUID(uuidString: "0000000\(number)-1234-4234-8234-1234567890AB")! }

    static func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number - 20) * 86_400.25) }
}
