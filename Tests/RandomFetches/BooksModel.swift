import CoreData
import Foundation

/// A library with every kind of attribute and relationship.
package enum BooksModel {
    package static func make() -> NSManagedObjectModel {
        typealias Parts = ModelParts
        let author = Parts.entity("Author")
        let book = Parts.entity("Book")
        let audioBook = Parts.entity("AudioBook")
        let genre = Parts.entity("Genre")
        let shop = Parts.entity("Shop")
        book.subentities = [audioBook]
        let (authorBooks, bookAuthor) = Parts.pair("books", many: true, from: author, "author", many: false, from: book)
        let (bookGenres, genreBooks) = Parts.pair("genres", many: true, from: book, "books", many: true, from: genre)
        let (bookSequel, bookPrequels) = Parts.pair(
            "sequel", many: false, from: book, "prequels", many: true, from: book)
        let stock = Parts.relationship("stock", many: true, to: book)
        let friends = Parts.relationship("friends", many: true, to: author)
        friends.inverseRelationship = friends
        genreBooks.isOrdered = true
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [
            Parts.attribute("city", .stringAttributeType), Parts.attribute("street", .stringAttributeType),
        ]
        let draft = Parts.attribute("draft", .stringAttributeType)
        draft.isTransient = true
        author.properties = [
            Parts.attribute("name", .stringAttributeType), Parts.attribute("born", .dateAttributeType),
            Parts.attribute("website", .URIAttributeType), address, authorBooks, friends,
        ]
        book.properties = [
            Parts.attribute("title", .stringAttributeType), Parts.attribute("subtitle", .stringAttributeType),
            Parts.attribute("pages", .integer32AttributeType), Parts.attribute("copies", .integer16AttributeType),
            Parts.attribute("big", .integer64AttributeType), Parts.attribute("price", .decimalAttributeType),
            Parts.attribute("rating", .floatAttributeType), Parts.attribute("score", .doubleAttributeType),
            Parts.attribute("inPrint", .booleanAttributeType), Parts.attribute("published", .dateAttributeType),
            Parts.attribute("identifier", .UUIDAttributeType), Parts.attribute("cover", .binaryDataAttributeType),
            draft, bookAuthor, bookGenres, bookSequel, bookPrequels,
        ]
        audioBook.properties = [
            Parts.attribute("narrator", .stringAttributeType), Parts.attribute("duration", .doubleAttributeType),
        ]
        genre.properties = [
            Parts.attribute("name", .stringAttributeType), Parts.attribute("shelf", .integer16AttributeType),
            genreBooks,
        ]
        shop.properties = [Parts.attribute("name", .stringAttributeType), stock]
        let model = NSManagedObjectModel()
        model.entities = [author, book, audioBook, genre, shop]
        return model
    }
}
