import CoreData
import Foundation
import Testing

@Suite("Which properties of two versions belong together")
struct PropertyPairingTests {
    private static func model(hasRelationship: Bool) -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        let cover = MigrationLibrary.attribute("frontCover", .stringAttributeType)
        book.properties = [cover]
        let model = NSManagedObjectModel()
        model.entities = [book]
        guard hasRelationship else {
            cover.renamingIdentifier = "cover"
            return model
        }
        let picture = NSEntityDescription()
        picture.name = "Picture"
        let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
        (one.name, other.name) = ("cover", "book")
        (one.destinationEntity, other.destinationEntity) = (picture, book)
        (one.inverseRelationship, other.inverseRelationship) = (other, one)
        (one.maxCount, other.maxCount) = (1, 1)
        (one.isOptional, other.isOptional) = (true, true)
        book.properties.append(one)
        picture.properties = [other]
        model.entities = [book, picture]
        return model
    }

    @Test(
        "An attribute keeps its name where a relationship takes the name that it had before", arguments: [true, false])
    func relationshipTakesOldName(isInPlace: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Books.sqlite")
        let (old, new) = (Self.model(hasRelationship: false), Self.model(hasRelationship: true))
        let first = try StoreStack(url, model: old)
        first.context.make("Book", ["frontCover": "red"])
        try first.context.save()
        try first.close()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        var migrated = url
        if !isInPlace {
            migrated = folder.url.appendingPathComponent("New.sqlite")
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: migrated,
                destinationType: NSSQLiteStoreType)
        }
        let second = try StoreStack(migrated, model: new)
        let book = try #require(try second.context.all("Book").first)
        #expect(book.text("frontCover") == "red" && book.value(forKey: "cover") == nil)
        book.setValue(second.context.make("Picture"), forKey: "cover")
        try second.context.save()
        try second.close()
        let third = try StoreStack(migrated, model: new)
        let picture = try #require(try third.context.all("Picture").first)
        #expect((picture.value(forKey: "book") as? NSManagedObject)?.text("frontCover") == "red")
        try third.close()
    }
}
