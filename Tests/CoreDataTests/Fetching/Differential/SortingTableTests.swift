import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("A SQLite store sorts as memory does")
struct SortingTableTests {
    private static let selectors = [
        "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
    ]

    @Test("By every kind of value, over to-ones, with every selector, missing values first where the order ascends")
    func keys() throws {
        let company = try TwinStacks(CompanyModel.make, fill: PeculiarCompany.fill)
        let keys: [(String, String)] =
            ["name", "place.room", "department.name", "department.site.city", "department.lead.name"].map {
                ("Employee", $0)
            }
            + [
                "born", "salary", "level", "place.floor", "badge.number", "badge.photo", "badge.weight",
                "department.code",
            ]
            .map { ("Employee", $0) }
            + [("Manager", "budget"), ("Employee", "department.isOpen"), ("Site", "page"), ("Department", "site.page")]
            + [
                ("Department", "staff.@count"), ("Department", "staff.@max.level"),
                ("Department", "staff.@sum.badge.weight"),
            ]
        for (entity, key) in keys {
            let isText = ["name", "room", "city"].contains { key.hasSuffix($0) }
            for selector in isText ? Self.selectors : ["compare:"] {
                for ascending in [true, false] {
                    let descriptors = [
                        NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selector)),
                        NSSortDescriptor(key: entity == "Site" ? "city" : "name", ascending: !ascending),
                    ]
                    let place: Comment = "\(entity) by \(key) \(selector) \(ascending)"
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.sortDescriptors = descriptors
                    let found = try company.sqlite.fetch(request)
                    let inMemory = company.objects.filter { object in
                        sequence(first: object.entity) { $0.superentity }.contains { $0.name == entity }
                    }.sorted(using: descriptors)
                    let twin = try company.memory.fetch(request)
                    #expect(found.count == inMemory.count && found.count == twin.count, place)
                    for (index, object) in found.enumerated() {
                        // What is equal by all keys may come in any order.
                        #expect(
                            descriptors.allSatisfy { $0.compare(object, to: inMemory[index]) == .orderedSame }, place)
                        // Memory keeps digits of decimals that a file loses.
                        guard key != "salary" else { continue }
                        #expect(descriptors.allSatisfy { $0.compare(twin[index], to: object) == .orderedSame }, place)
                    }
                    let missing = found.map { $0.value(forKeyPath: key) == nil }
                    let firstValue = missing.firstIndex(of: false) ?? 0
                    if ascending, missing.contains(true), !key.contains("@") {
                        #expect(firstValue > 0 && !missing[firstValue...].contains(true), place)
                    }
                    request.fetchLimit = 7
                    request.fetchOffset = 5
                    let page = try company.sqlite.fetch(request)
                    #expect(page.count == min(7, max(0, found.count - 5)), place)
                    for (object, same) in zip(page, found.dropFirst(5)) {
                        #expect(descriptors.allSatisfy { $0.compare(object, to: same) == .orderedSame }, place)
                    }
                }
            }
        }
    }
}
