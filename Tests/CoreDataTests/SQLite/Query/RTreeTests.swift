import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSPredicate

@Suite("R-tree indexes")
struct RTreeTests {
    /// Places and towns, which are places, by latitude and longitude; many without.
    private struct Map {
        let stack: TemporaryStack
        let statements = StatementRecord()
        let context: NSManagedObjectContext
        var random = SeededGenerator(seed: 11)

        init(places: Int) throws {
            stack = try TemporaryStack(model: Self.model(), observer: statements.observer)
            let writer = stack.context()
            for number in 0..<places {
                let place = writer.make(number.isMultiple(of: 3) ? "Town" : "Place", ["name": "\(number)"])
                if !number.isMultiple(of: 11) {
                    place.setValue(Double.random(in: -90...90, using: &random), forKey: "latitude")
                }
                if !number.isMultiple(of: 13) {
                    place.setValue(Double.random(in: -180...180, using: &random), forKey: "longitude")
                }
            }
            try writer.save()
            context = stack.context()
        }

        static func model() -> NSManagedObjectModel {
            typealias Parts = ModelParts
            let place = Parts.entity("Place")
            let town = Parts.entity("Town")
            place.subentities = [town]
            let attributes = [
                Parts.attribute("name", .stringAttributeType), Parts.attribute("latitude", .doubleAttributeType),
                Parts.attribute("longitude", .doubleAttributeType),
            ]
            place.properties = attributes
            let elements = attributes.dropFirst().map {
                NSFetchIndexElementDescription(property: $0, collationType: .rTree)
            }
            let model = NSManagedObjectModel()
            model.entities = [place, town]
            place.indexes = [NSFetchIndexDescription(name: "byLocation", elements: elements)]
            return model
        }

        /// What a predicate selects by SQL, with the statement, and by evaluation.
        func answers(_ predicate: NSPredicate, of entity: String = "Place") throws -> (
            [String], [String], sql: String
        ) {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            let all = try context.fetch(request)
            let expected = try all.filter { try predicate.checkedEvaluate(with: $0) }
            request.predicate = predicate
            _ = statements.takeQueries()
            let found = try context.fetch(request)
            let sql = statements.takeQueries().last ?? ""
            return (
                found.compactMap { $0.text("name") }.sorted(), expected.compactMap { $0.text("name") }.sorted(), sql
            )
        }
    }

    @Test("A box is looked up in the index, and selects what the predicate says, to the last bit")
    func boxes() throws {
        var map = try Map(places: 600)
        var selected = 0
        for round in 0..<40 {
            let latitude = Double.random(in: -90...80, using: &map.random)
            let longitude = Double.random(in: -180...160, using: &map.random)
            let format = [
                "latitude BETWEEN {%@, %@} AND longitude BETWEEN {%@, %@}",
                "latitude >= %@ AND latitude < %@ AND longitude > %@ AND longitude <= %@ AND name != '7'",
                "(%@ <= latitude AND %@ >= latitude) AND (longitude > %@ AND longitude < %@)",
                "indexed:by:(latitude, 'byLocation') BETWEEN {%@, %@} AND indexed:by:(longitude, 'byLocation') BETWEEN {%@, %@}",
            ][round % 4]
            let arguments = [latitude, latitude + 20, longitude, longitude + 60].map { NSNumber(value: $0) }
            let entity = round.isMultiple(of: 5) ? "Town" : "Place"
            let (found, expected, sql) = try map.answers(
                NSPredicate(format: format, argumentArray: arguments), of: entity)
            #expect(found == expected, "\(format) \(arguments)")
            #expect(sql.contains("Z_RT_Place_byLocation"), "\(sql)")
            selected += found.count
        }
        #expect(selected > 40)
        // A place is found by its own coordinates, which the index has rounded.
        for place in try map.context.all("Place", "latitude != nil AND longitude != nil").prefix(50) {
            let arguments = [place.value(forKey: "latitude")!, place.value(forKey: "longitude")!]
            let (found, _, sql) = try map.answers(
                NSPredicate(format: "latitude == %@ AND longitude == %@", argumentArray: arguments))
            #expect(found == [place.text("name")!] && sql.contains("Z_RT_"))
        }
    }

    @Test("Half a box, alternatives and negations don't need the index, unless they ask for it by name")
    func others() throws {
        let map = try Map(places: 100)
        for format in [
            "latitude > 10", "latitude BETWEEN {0, 10} OR longitude BETWEEN {0, 10}",
            "NOT (latitude BETWEEN {0, 10} AND longitude BETWEEN {0, 10})", "latitude == nil AND longitude == nil",
            "latitude == longitude",
        ] {
            let (found, expected, sql) = try map.answers(NSPredicate(format: format))
            #expect(found == expected && !sql.contains("Z_RT_"), "\(format) \(sql)")
        }
        let (found, expected, sql) = try map.answers(NSPredicate(format: "indexed:by:(latitude, 'byLocation') > 10"))
        #expect(found == expected && !found.isEmpty && sql.contains("Z_RT_"))
        #expect(
            thrownText { _ = try map.context.all("Place", "indexed:by:(latitude, 'byPlace') > 10") }
                .contains("byLocation"))
        #expect(throws: NSError.self) { try map.context.all("Place", "indexed:by:(latitude, 'byPlace') > 10") }
    }

    @Test("Updates, deletions and batch requests are in the index")
    func changes() throws {
        let map = try Map(places: 90)
        let writer = map.stack.context()
        for (number, place) in try writer.all("Place", sort: "name").enumerated() {
            if number.isMultiple(of: 4) { writer.delete(place) }
            if number.isMultiple(of: 5) { place.setValue(45.5, forKey: "latitude") }
            if number.isMultiple(of: 7) { place.setValue(nil, forKey: "longitude") }
        }
        try writer.save()
        let update = NSBatchUpdateRequest(entityName: "Town")
        update.propertiesToUpdate = ["longitude": 9.25]
        try writer.execute(update)
        try writer.execute(
            NSBatchInsertRequest(
                entityName: "Place", objects: [["name": "new", "latitude": 45.25, "longitude": 9.5] as [String: Any]]))
        let (found, expected, sql) = try map.answers(
            NSPredicate(format: "latitude BETWEEN {45, 46} AND longitude BETWEEN {9, 10}"))
        #expect(found == expected && found.contains("new") && found.count > 3, "\(found)")
        #expect(sql.contains("Z_RT_"))
    }

    @Test("A store that lacks the index is searched without it")
    func withoutIndex() throws {
        let map = try Map(places: 60)
        let triggers = ["INSERT", "UPDATE", "DELETE"].map { "DROP TRIGGER Z_RT_Place_byLocation_\($0)" }
        for sql in triggers + ["DROP TABLE Z_RT_Place_byLocation"] {
            _ = try PlainSQLite.rows(sql, in: map.stack.storeURL)
        }
        let context = try map.stack.reopened()
        let found = try context.all("Place", "latitude BETWEEN {-90, 90} AND longitude BETWEEN {-180, 180}")
        #expect(found.count > 40)
    }
}
