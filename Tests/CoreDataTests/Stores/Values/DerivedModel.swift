import CoreData
import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Countries of authors of books in genres, with attributes that are derived in every way there is.
enum DerivedModel {
    static func make() -> NSManagedObjectModel {
        typealias Parts = ModelParts
        let country = Parts.entity("Country")
        let author = Parts.entity("Author")
        let book = Parts.entity("Book")
        let genre = Parts.entity("Genre")
        let (books, itsAuthor) = Parts.pair("books", many: true, from: author, "author", many: false, from: book)
        let (authors, itsCountry) = Parts.pair(
            "authors", many: true, from: country, "country", many: false, from: author)
        let (genres, genreBooks) = Parts.pair("genres", many: true, from: book, "books", many: true, from: genre)
        country.properties = [Parts.attribute("name", .stringAttributeType), authors]
        author.properties = [
            Parts.attribute("name", .stringAttributeType), books, itsCountry,
            derived("searchName", .stringAttributeType, "canonical:(name)"),
            derived("saved", .dateAttributeType, "now()"),
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pages", .integer64AttributeType, "books.@sum.pages"),
            derived("value", .doubleAttributeType, "sum:(books.price)"),
        ]
        book.properties = [
            Parts.attribute("title", .stringAttributeType), Parts.attribute("pages", .integer32AttributeType),
            Parts.attribute("price", .doubleAttributeType), itsAuthor, genres,
            derived("authorName", .stringAttributeType, "author.name"),
            derived("countryName", .stringAttributeType, "author.country.name"),
            derived("loudCountry", .stringAttributeType, "uppercase:(author.country.name)"),
            derived("genreCount", .integer64AttributeType, "genres.@count"),
        ]
        genre.properties = [
            Parts.attribute("name", .stringAttributeType), genreBooks,
            derived("pages", .integer64AttributeType, "books.@sum.pages"),
        ]
        let model = NSManagedObjectModel()
        model.entities = [country, author, book, genre]
        return model
    }

    static func derived(_ name: String, _ type: NSAttributeType, _ expression: String) -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression =
            expression.contains("(") ? NSExpression(format: expression) : NSExpression(forKeyPath: expression)
        return attribute
    }
}
