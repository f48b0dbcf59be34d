import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

@Suite("Every kind of predicate selects from a SQLite store what it selects in memory")
struct PredicateTableTests {
    /// A format with what stands for its placeholders.
    private struct Row {
        var entity: String
        var format: String
        var arguments: [Any]

        init(_ entity: String, _ format: String, _ arguments: Any?...) {
            self.entity = entity
            self.format = format
            self.arguments = arguments.map { $0 ?? NSNull() }
        }
    }

    private func company() throws -> TwinStacks {
        try TwinStacks(CompanyModel.make, fill: PeculiarCompany.fill)
    }

    /// - Returns: how many objects the rows have selected, and how many rows selected some but not all.
    @discardableResult
    private func check(_ rows: [Row], in company: TwinStacks) throws -> Int {
        var telling = 0
        for row in rows {
            let twins = row.arguments.map { argument -> Any in
                if let object = argument as? NSManagedObject { return company.counterparts(of: [object])[0] }
                if let objects = argument as? [NSManagedObject] { return company.counterparts(of: objects) }
                return argument
            }
            let place: Comment = "\(row.entity): \(row.format) \(row.arguments)"
            do {
                let answers = try company.answers(
                    row.entity, NSPredicate(format: row.format, argumentArray: row.arguments),
                    NSPredicate(format: row.format, argumentArray: twins))
                #expect(answers[0] == answers[1], place)
                #expect(answers[0] == answers[2], place)
                if !answers[0].isEmpty { telling += 1 }
            } catch {
                Issue.record(error, place)
            }
        }
        return telling
    }

    // MARK: Strings

    private static let patterns: [String] = [
        "*", "?", "??", "", "*e*", "caf?", "*ß*", "a\\*b", "a\\?b", "a\\\\b", "a*b", "100%", "under_score", "İ*", "*\\",
        "co?op",
        "[a-z]*", "line*break",
    ]
    private static let expressions = [
        ".*", "caf.", "[A-Z]+", "(?i)istanbul", "stra(ß|ss)e", "\\p{Greek}+", "a.b", "\\d+", "^c.*$", ".",
        "line.break",
        "(?s)line.break", "\\w+",
    ]

    @Test(
        "Strings, with every option", arguments: ["", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cdl]"])
    func strings(_ options: String) throws {
        let company = try company()
        var rows: [Row] = []
        for name in PeculiarCompany.names.compactMap(\.self) {
            for operation in ["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS"] {
                rows.append(Row("Person", "name \(operation)\(options) %@", name))
            }
            let part = String(name.unicodeScalars.dropFirst().prefix(2))
            for operation in ["BEGINSWITH", "ENDSWITH", "CONTAINS"] {
                rows.append(Row("Person", "name \(operation)\(options) %@", part))
            }
        }
        rows += Self.patterns.map { Row("Person", "name LIKE\(options) %@", $0) }
        rows += Self.expressions.map { Row("Person", "name MATCHES\(options) %@", $0) }
        rows.append(Row("Person", "name IN\(options) %@", ["CAFE", "strasse", "x", NSNull()]))
        rows.append(Row("Person", "name IN\(options) %@", PeculiarCompany.names.compactMap(\.self)))
        rows.append(Row("Person", "name BETWEEN\(options) %@", ["a", "s"]))
        rows.append(Row("Person", "%@ CONTAINS\(options) name", "Strasse cafe"))
        rows.append(Row("Person", "%@ BEGINSWITH\(options) name", "Strasse cafe"))
        rows.append(Row("Person", "name IN\(options) %@", "Strasse cafe"))
        rows.append(Row("Employee", "name ==\(options) place.room"))
        rows.append(Row("Employee", "department.name CONTAINS\(options) place.room"))
        rows.append(Row("Department", "ANY staff.name ==\(options) name"))
        rows.append(Row("Department", "NONE staff.name ==\(options) 'CAFE'"))
        rows.append(Row("Department", "ALL staff.name !=\(options) 'strasse'"))
        rows.append(Row("Department", "SUBQUERY(staff, $s, $s.name LIKE\(options) '*a*').@count > 4"))
        #expect(try check(rows, in: company) > rows.count / 3)
    }

    // MARK: Other values

    @Test("Dates, decimals, integers to the last bit, UUIDs, URIs and bytes")
    func values() throws {
        let company = try company()
        var rows: [Row] = []
        let relations = ["==", "!=", "<", "<=", ">", ">="]
        for relation in relations {
            for number in [0, 13, 20, 21, 44, 60] {
                let date = PeculiarCompany.date(number)
                rows.append(Row("Person", "born \(relation) %@", date))
                rows.append(Row("Person", "born + 86400.25 \(relation) %@", date))
                rows.append(Row("Person", "born - 3600 \(relation) %@", date))
                rows.append(Row("Person", "born - %@ \(relation) 86400", date))
                rows.append(Row("Employee", "department.lead.born \(relation) %@", date))
                rows.append(Row("Badge", "number \(relation) %@", NSNumber(value: Int64(number) << 52)))
                rows.append(Row("Badge", "number \(relation) %@", NSNumber(value: Int64(number) << 52 + 1)))
                rows.append(Row("Badge", "weight \(relation) %@", NSNumber(value: Float(number) / 3)))
                rows.append(Row("Badge", "weight \(relation) %@", NSNumber(value: Double(number) / 3)))
                rows.append(Row("Badge", "photo \(relation) %@", Data([UInt8(number), 0, 255])))
                rows.append(Row("Department", "code \(relation) %@", PeculiarCompany.code(number % 6)))
            }
            rows.append(Row("Person", "born \(relation) now()"))
            rows.append(Row("Person", "born \(relation) CAST(0, 'NSDate')"))
            rows.append(Row("Employee", "born \(relation) department.lead.born"))
            rows.append(Row("Site", "page \(relation) %@", URL(string: "https://example.org/1?q=ä#1")))
            rows.append(Row("Department", "site.page \(relation) %@", URL(string: "https://example.org/0?q=ä#0")))
            // Digits beyond those of a double are lost in the file, as in Apple's, and are kept in memory.
            for salary in PeculiarCompany.salaries.filter({ $0.description.count < 15 }) {
                rows.append(Row("Employee", "salary \(relation) %@", NSDecimalNumber(decimal: salary)))
                rows.append(Row("Employee", "salary * 3 \(relation) %@", NSDecimalNumber(decimal: salary * 3)))
            }
        }
        rows.append(Row("Department", "code IN %@", [PeculiarCompany.code(1), PeculiarCompany.code(5)]))
        rows.append(Row("Department", "code BEGINSWITH '00000002'"))
        rows.append(Row("Site", "page LIKE '*example*'"))
        rows.append(Row("Site", "page IN %@", [URL(string: "https://example.org/1?q=ä#1")!]))
        rows.append(Row("Badge", "photo IN %@", [Data([4, 0, 255]), Data()]))
        rows.append(Row("Person", "born BETWEEN %@", [PeculiarCompany.date(10), PeculiarCompany.date(30)]))
        rows.append(Row("Person", "born BETWEEN {%@, now()}", PeculiarCompany.date(10)))
        #expect(try check(rows, in: company) > rows.count / 2)
    }

    @Test("Decimals of 38 digits compare as the file holds them")
    func longDecimals() throws {
        let company = try company()
        var telling = 0
        for salary in PeculiarCompany.salaries {
            for relation in ["==", "!=", "<", "<=", ">", ">="] {
                let predicate = NSPredicate(
                    format: "salary \(relation) %@", argumentArray: [NSDecimalNumber(decimal: salary)])
                let answers = try company.answers("Employee", predicate)
                // What was rounded in the file may not be equal to what it was rounded from; then the rounded value decides.
                let stored = DecimalOfFile.value(salary)
                let rounded = NSPredicate(
                    format: "salary \(relation) %@", argumentArray: [NSDecimalNumber(decimal: stored)])
                #expect(answers[0] == (try company.answers("Employee", rounded))[1], "\(predicate)")
                if !answers[0].isEmpty { telling += 1 }
            }
        }
        #expect(telling > 40)
    }

    // MARK: Nil

    @Test("Missing values, over to-ones, in NOT, and as scalars")
    func missing() throws {
        let company = try company()
        let rows = [
            Row("Employee", "level == nil"), Row("Employee", "level != nil"), Row("Employee", "level == 0"),
            Row("Employee", "level < 5"), Row("Employee", "NOT (level < 5)"), Row("Employee", "NOT (level >= 5)"),
            Row("Employee", "level != 5"), Row("Employee", "NOT (level == 5)"), Row("Employee", "NOT (level != nil)"),
            Row("Employee", "department == nil"), Row("Employee", "department.site == nil"),
            Row("Employee", "department.site.city == nil"), Row("Employee", "department.site.city != nil"),
            Row("Employee", "department.site.city != 'Lund'"), Row("Employee", "NOT (department.site.city == 'Lund')"),
            Row("Employee", "department.parent.parent.name == nil"),
            Row("Employee", "department.lead.badge.number > 0"),
            Row("Employee", "NOT (department.lead.badge.number > 0)"),
            Row("Employee", "level == department.lead.level"), Row("Employee", "level != department.lead.level"),
            Row("Employee", "NOT (level < department.lead.level)"),
            Row("Employee", "level IN {1, 2, nil}"), Row("Employee", "NOT (level IN {1, 2})"),
            Row("Employee", "level BETWEEN {nil, 3}"), Row("Employee", "NOT (level BETWEEN {0, 3})"),
            Row("Employee", "level + 1 == nil"), Row("Employee", "level + nil == nil"),
            Row("Department", "isOpen == nil"), Row("Department", "isOpen == NO"), Row("Department", "isOpen != YES"),
            Row("Department", "NOT (isOpen == YES)"), Row("Department", "isOpen == TRUE OR isOpen == nil"),
            Row("Department", "staff.@count == 0"), Row("Department", "lead.leads.@count == 0"),
            Row("Department", "lead.leads.@count == nil"),
            Row("Department", "staff.@max.level == nil"), Row("Department", "staff.@min.born == nil"),
            Row("Department", "staff.@sum.level == 0"), Row("Department", "staff.@avg.salary == nil"),
            Row("Department", "ANY staff.level == nil"), Row("Department", "ALL staff.level != nil"),
            Row("Department", "NONE staff.level == nil"), Row("Department", "ANY lead.leads.name == nil"),
            Row("Person", "name == nil OR name == ''"),
            Row("Person", "nil == name"), Row("Person", "%@ == name", nil), Row("Person", "NOT (name CONTAINS 'a')"),
            Row("Person", "NOT (name MATCHES '.*a.*')"), Row("Person", "NOT (name BEGINSWITH[cd] 'C')"),
        ]
        #expect(try check(rows, in: company) > rows.count / 2)
    }

    // MARK: Objects

    @Test("Objects, their IDs, entities, composite attributes and transformables")
    func objects() throws {
        let company = try company()
        func all(_ entity: String) -> [NSManagedObject] { company.objects.filter { $0.entity.name == entity } }
        let departments = all("Department")
        let managers = all("Manager")
        let manager = try #require(managers.first?.entity)
        let employee = try #require(manager.superentity)
        let rows = [
            Row("Employee", "department == %@", departments[1]), Row("Employee", "department != %@", departments[1]),
            Row("Employee", "NOT (department == %@)", departments[1]), Row("Employee", "SELF == %@", managers[2]),
            Row("Employee", "self IN %@", Array(managers.prefix(3))),
            Row("Employee", "department IN %@", Array(departments.prefix(2))),
            Row("Employee", "NOT (department IN %@)", Array(departments.prefix(2))),
            Row("Employee", "department.site == %@", departments[0].value(forKey: "site")),
            Row("Employee", "department.lead == SELF"), Row("Employee", "department.lead.department == department"),
            Row("Employee", "%@ == department", departments[2]),
            Row("Department", "staff CONTAINS %@", managers[1]), Row("Department", "%@ IN staff", managers[1]),
            Row("Department", "ANY staff == %@", managers[1]), Row("Department", "NONE staff == %@", managers[1]),
            Row("Department", "ANY staff IN %@", Array(managers.prefix(4))),
            Row("Department", "lead IN staff"), Row("Department", "lead IN parent.staff"),
            Row("Person", "ANY friends == %@", managers[3]), Row("Person", "ANY friends.name == 'cafe'"),
            Row("Person", "friends.@count > 1"), Row("Person", "SELF IN friends"),
            Row("Person", "entity == %@", manager), Row("Person", "entity != %@", manager),
            Row("Person", "entity == %@", employee), Row("Person", "entity IN %@", [manager, employee]),
            Row("Person", "entity.name == 'Manager'"), Row("Person", "entity.name LIKE 'Man*'"),
            Row("Employee", "department.lead.entity == %@", manager),
            Row("Department", "ANY staff.entity == %@", manager),
            Row("Department", "ANY helpers.entity.name == 'Manager'"),
            Row("Employee", "place.floor == 1"), Row("Employee", "place.floor > 0 AND place.room CONTAINS[cd] 'cafe'"),
            Row("Employee", "place.room == nil"), Row("Department", "ANY staff.place.floor == 2"),
            Row("Department", "lead.place.room BEGINSWITH 'S'"), Row("Department", "staff.@max.place.floor == 2"),
            Row("Employee", "tags == %@", ["x0", "y"]), Row("Employee", "tags != %@", ["x0", "y"]),
            Row("Employee", "tags == nil"), Row("Employee", "tags IN %@", [["x1", "y"], ["z"]]),
            Row("Employee", "department.lead.tags == tags"), Row("Department", "ANY staff.tags == %@", ["x0", "y"]),
        ]
        #expect(try check(rows, in: company) > rows.count / 2)
        for (format, id) in [("department == %@", departments[1].objectID), ("SELF == %@", managers[2].objectID)] {
            let answers = try company.answers("Employee", NSPredicate(format: format, argumentArray: [id]))
            #expect(answers[0] == answers[1] && !answers[0].isEmpty, "\(format)")
        }
    }

    // MARK: Collections

    @Test("ANY, ALL, NONE, SUBQUERY and collection operators, over chains and inside one another")
    func collections() throws {
        let company = try company()
        var rows: [Row] = []
        for quantifier in ["ANY", "SOME", "ALL", "NONE"] {
            rows += [
                "staff.level > 5", "staff.salary == 0.1", "staff.born < CAST(0, 'NSDate')", "staff.badge.number > 0",
                "staff.badge == nil", "staff.helps.name == 'Straße'", "staff.helps.site.city == 'Lund'",
                "staff.helps.staff.level == 3", "parts.staff.name CONTAINS[cd] 'CAFE'", "parent.parts.staff.level > 30",
                "lead.leads.isOpen == YES", "helpers.department.isOpen == YES", "staff.level IN {1, 2, 3}",
                "staff.level BETWEEN {1, 3}", "staff.friends.name == 'strasse'", "staff.helps == SELF",
                "staff.helps.@count == 1",
            ].map { Row("Department", "\(quantifier) \($0)") }
        }
        for relation in ["==", ">", "<="] {
            for number in [0, 1, 4, 9] {
                rows += [
                    "staff.@count", "lead.leads.@count", "parent.parts.@count", "staff.@max.level", "staff.@min.level",
                    "staff.@sum.level", "staff.@avg.level", "staff.@sum.badge.weight", "parent.staff.@avg.place.floor",
                    "staff.@max.badge.number", "count(staff)", "max(staff.level)", "sum(staff.level)",
                    "min(staff.level)",
                    "average(staff.level)", "SUBQUERY(staff, $s, $s.level > 3).@count",
                    "SUBQUERY(staff, $s, $s.level > 3).@sum.level",
                    "SUBQUERY(staff, $s, $s.level > 3).@max.badge.weight",
                    "SUBQUERY(staff, $s, $s.department == SELF AND $s != lead).@count",
                    "SUBQUERY(staff, $s, SUBQUERY($s.helps, $h, $h.isOpen == YES).@count > 0).@count",
                    "SUBQUERY(staff, $s, SUBQUERY($s.helps, $h, $h == $s.department).@count > 0).@count",
                    "SUBQUERY(staff, $s, ANY $s.helps.name == 'Straße').@count",
                    "SUBQUERY(staff, $s, ALL $s.friends.name != 'strasse').@count",
                    "SUBQUERY(parts, $p, $p.staff.@count > staff.@count).@count",
                    "SUBQUERY(staff, $s, $s.friends.@count > 0 AND $s.place.floor == 1).@count", "helpers[SIZE]",
                ].map { Row("Department", "\($0) \(relation) \(number)") }
            }
        }
        rows += [
            Row("Department", "ANY SUBQUERY(staff, $s, $s.level > 3).name == 'axb'"),
            Row("Department", "ALL SUBQUERY(staff, $s, $s.level > 3).level > 3"),
            Row("Department", "'cafe' IN staff.name"), Row("Department", "staff.name CONTAINS 'cafe'"),
            Row("Department", "'cafe' IN staff.@distinctUnionOfObjects.name"), Row("Department", "3 IN staff.level"),
            Row("Department", "name IN staff.name"), Row("Department", "lead.name IN parent.staff.name"),
            Row("Department", "SUBQUERY(staff, $s, $s.level == nil).@count > 0"),
            Row("Department", "SUBQUERY(staff, $s, TRUEPREDICATE).@count == staff.@count"),
            Row("Department", "staff.@max.level > parent.staff.@max.level"),
            Row("Department", "staff.@max.name == 'привет'"), Row("Department", "staff.@min.born < lead.born"),
            Row("Department", "TERNARY(isOpen == YES, staff.@count, 0) > 3"),
        ]
        #expect(try check(rows, in: company) > rows.count / 3)
    }

    @Test("Subfetches: their objects, the values of their one property, their count")
    func subfetches() throws {
        let company = try company()
        func fetch(_ context: NSManagedObjectContext, _ isCount: Bool, _ make: (NSFetchRequest<NSDictionary>) -> Void)
            -> NSExpression
        {
            let request = NSFetchRequest<NSDictionary>(entityName: "Manager")
            request.predicate = NSPredicate(format: "level > -8")
            make(request)
            return NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
                countOnly: isCount)
        }
        func both(_ format: String, isCount: Bool = false, _ make: (NSFetchRequest<NSDictionary>) -> Void = { _ in })
            throws -> [[Int]]
        {
            try company.answers(
                "Employee", NSPredicate(format: format, argumentArray: [fetch(company.sqlite, isCount, make)]),
                NSPredicate(format: format, argumentArray: [fetch(company.memory, isCount, make)]))
        }
        for (format, isCount, key) in [
            ("SELF IN %@", false, nil), ("NOT (SELF IN %@)", false, nil), ("department.lead IN %@", false, nil),
            ("ANY friends IN %@", false, nil), ("level < %@", true, nil), ("name IN %@", false, "name"),
            ("level IN %@", false, "level"), ("department IN %@", false, "department"),
            ("born IN %@", false, "born"),
        ] as [(String, Bool, String?)] {
            let answers = try both(format, isCount: isCount) { request in
                guard let key else { return request.resultType = .managedObjectResultType }
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [key]
            }
            #expect(answers[0] == answers[1] && answers[0] == answers[2] && !answers[0].isEmpty, "\(format) \(answers)")
        }
    }

    @Test("Fifty thousand values of each kind")
    func longLists() throws {
        let company = try company()
        let numbers = 0..<50_000
        let rows = [
            Row("Employee", "level IN %@", numbers.map { NSNumber(value: $0 * 2) }),
            Row("Employee", "NOT (level IN %@)", numbers.map { NSNumber(value: $0 * 2) }),
            Row("Employee", "name IN %@", numbers.map { "\($0)" }),
            Row("Employee", "salary IN %@", numbers.map { NSDecimalNumber(decimal: Decimal($0) / 10) }),
            Row("Person", "born IN %@", numbers.map { PeculiarCompany.date($0 - 20_000) }),
            Row("Department", "code IN %@", numbers.map { $0 == 77 ? PeculiarCompany.code(3) : UUID() }),
            Row("Employee", "badge.photo IN %@", numbers.map { Data([UInt8($0 % 256), 0, 255]) }),
            Row("Department", "ANY staff.level IN %@", numbers.map { NSNumber(value: $0 + 30) }),
            Row("Employee", "tags IN %@", (0..<2000).map { ["x\($0 == 7 ? 0 : $0 + 2)", "y"] }),
        ]
        #expect(try check(rows, in: company) == rows.count)
    }

    // MARK: Functions

    @Test("Functions of numbers, strings and dates")
    func functions() throws {
        let company = try company()
        let rows = [
            "level + 1 > 10", "level * 2 - 1 == 9", "level / 2 == 5", "level ** 2 == 25", "-level > 3",
            "abs(level) < 4", "modulus:by:(level, 3) == 1", "floor(budget) == 6", "sqrt(level) > 4", "ln(level) > 2",
            "log(level) < 1", "exp(level) > 100", "trunc(budget) == 18", "ceiling(budget) == 18",
            "bitwiseOr:with:(level, 1) == 5",
            "bitwiseAnd:with:(level, 1) == 0", "leftshift:by:(level, 1) == 8", "rightshift:by:(level, 1) == 2",
            "uppercase(name) == 'CAFE'",
            "lowercase(name) == 'cafe'",
            "canonical(name) == 'cafe'", "length(name) == 4", "noindex(name) == 'cafe'",
            "max(level, place.floor) == 2", "min(level, place.floor) == 1", "sum(level, place.floor) == 5",
            "TERNARY(level > 3, name, place.room) == 'cafe'", "budget / level > 1", "salary + level == 11",
            "level == place.floor", "level > place.floor + 3",
        ].map { Row($0.contains("budget") ? "Manager" : "Employee", $0) }
        #expect(try check(rows, in: company) > rows.count / 2)
    }

    // MARK: What SQL can't hold

    @Test(
        "What can't be said in SQL is an error that names it",
        arguments: [
            ("helpers[FIRST].name == 'x'", "helpers[FIRST]"), ("helpers[0] == nil", "helpers"),
            ("helpers[LAST].level > 1", "helpers[LAST]"), ("name.size == 4", "name.size"),
            ("staff.name == 'x'", "staff.name"), ("staff.@median.level == 1", "@median"),
            ("staff == parts", "staff"), ("FUNCTION(name, 'uppercaseString') == 'X'", "uppercaseString"),
            ("lead.place == 1", "Manager.place"), ("site.page CONTAINS 'example'", "page CONTAINS"),
        ])
    func refused(format: String, part: String) throws {
        let company = try company()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: format)
        let error = try #require(throws: NSError.self) { try company.sqlite.fetch(request) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
        #expect(throws: NSError.self) { try company.sqlite.count(for: request) }
    }
}

/// A decimal as a SQLite store gives it back: with the digits of a double.
private enum DecimalOfFile {
    static func value(_ decimal: Decimal) -> Decimal {
        if let integer = Int64(decimal.description) { return Decimal(integer) }
        return Decimal(string: Double(decimal.description)!.description)!
    }
}
