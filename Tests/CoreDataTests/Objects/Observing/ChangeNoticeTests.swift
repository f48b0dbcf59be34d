@_spi(GeneratedCode) import CoreData
import Foundation
import Testing

@Suite("Overrides of willChangeValue(forKey:) and didChangeValue(forKey:)")
struct ChangeNoticeTests {
    final class Article: NSManagedObject {
        var notices: [String] = []

        override func willChangeValue(forKey key: String) {
            super.willChangeValue(forKey: key)
            notices.append("will \(key): \(shown(key))")
        }

        override func didChangeValue(forKey key: String) {
            super.didChangeValue(forKey: key)
            notices.append("did \(key): \(shown(key))\(hasChanges ? "" : ", no change")")
            if key == "title" { setValue((value(forKey: "title") as? String)?.count ?? 0, forKey: "length") }
        }

        private func shown(_ key: String) -> String {
            guard let value = primitiveValue(forKey: key) else { return "nil" }
            return (value as? NSManagedObject)?.primitiveValue(forKey: "name") as? String ?? "\(value)"
        }

        func take() -> [String] {
            defer { notices = [] }
            return notices
        }
    }

    private static func model() -> NSManagedObjectModel {
        let (article, author) = (NSEntityDescription(), NSEntityDescription())
        (article.name, author.name) = ("Article", "Author")
        article.managedObjectClassName = NSStringFromClass(Article.self)
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let (writer, articles) = (NSRelationshipDescription(), NSRelationshipDescription())
        (writer.name, writer.destinationEntity, writer.maxCount, writer.isOptional) = ("author", author, 1, true)
        (articles.name, articles.destinationEntity, articles.isOptional) = ("articles", article, true)
        (writer.inverseRelationship, articles.inverseRelationship) = (articles, writer)
        article.properties = [
            attribute("title", .stringAttributeType), attribute("length", .integer32AttributeType), writer,
        ]
        author.properties = [attribute("name", .stringAttributeType), articles]
        let model = NSManagedObjectModel()
        model.entities = [article, author]
        return model
    }

    @Test("are called around each change by an accessor or by key-value coding, and around those of the other side")
    func calls() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let article = try #require(context.make("Article") as? Article)
        try context.save()
        #expect(article.take() == [])
        article.setValue("Momo", forKey: "title")
        #expect(article.take() == ["will title: nil", "did title: Momo", "will length: nil", "did length: 4"])
        article.setIntegerValue(5, for: ManagedPropertyKey("length"))
        #expect(article.take() == ["will length: 4", "did length: 5"])
        let author = context.make("Author", ["name": "Ende"])
        article.setValue(author, forKey: "author")
        #expect(article.take() == ["will author: nil", "did author: Ende"])
        #expect(author.value(forKey: "articles") as? Set<NSManagedObject> == [article])
        try context.save()
        author.setValue(NSSet(), forKey: "articles")
        #expect(article.take() == ["will author: Ende", "did author: nil"])
        #expect(article.value(forKey: "author") == nil)
        // A custom accessor's own calls are what they were.
        article.willChangeValue(forKey: "length")
        article.setPrimitiveValue(9, forKey: "length")
        article.didChangeValue(forKey: "length")
        #expect(article.take() == ["will length: 5", "did length: 9"])
        try context.save()
        let other = stack.context()
        let read = try #require(try other.all("Article").first as? Article)
        #expect(read.value(forKey: "length") as? Int == 9 && read.value(forKey: "author") == nil)
        #expect(read.take() == [])
        read.setValue("B", forKey: "title")
        #expect(read.take().count == 4)
        other.rollback()
        #expect(!read.hasChanges && read.value(forKey: "title") as? String == "Momo")
    }
}
