import FoundationCompat
import Testing

@Suite("Key-value coding")
struct KeyValueCodingTests {
    private let library = Library()

    private var emma: Book { library.books[0] }

    @Test("gives numbers as NSNumber, which cast to every number type")
    func numbers() {
        let pages = emma.value(forKey: "pages")
        #expect(pages is NSNumber)
        #expect(pages as? Int == 474)
        #expect(pages as? Int32 == 474)
        #expect(pages as? Double == 474)
        #expect(emma.value(forKey: "inPrint") as? Bool == true)
        #expect(emma.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "9.99"))
    }

    @Test("gives strings, dates, data, UUIDs and URLs as Swift's value types")
    func values() {
        #expect(emma.value(forKey: "title") as? String == "Emma")
        #expect(emma.value(forKey: "published") as? Date == Library.date(1815, 12, 23))
        #expect(emma.value(forKey: "identifier") as? UUID == Library.identifier(1))
        #expect(emma.value(forKey: "cover") as? Data == Data([1, 2, 3]))
        #expect(emma.value(forKey: "website") as? URL == URL(string: "https://example.org/emma"))
        #expect(library.books[6].value(forKey: "author") == nil)
    }

    @Test("follows key paths, and ends at a missing value")
    func keyPaths() {
        #expect(emma.value(forKeyPath: "author.name") as? String == "Jane Austen")
        #expect(library.books[6].value(forKeyPath: "author.name") == nil)
        #expect(emma.value(forKeyPath: "info.nested.deep") as? Int == 7)
        #expect(emma.value(forKeyPath: "title.length") as? Int == 4)
    }

    @Test("sets values, converts nil and NSNull, and sets through key paths")
    func setting() {
        emma.setValue("New", forKey: "title")
        emma.setValue(NSNumber(value: 5), forKey: "pages")
        emma.setValue(NSNull(), forKey: "rating")
        emma.setValue("Someone", forKeyPath: "author.name")
        #expect(emma.title == "New" && emma.pages == 5 && emma.rating == nil)
        #expect(library.austen.name == "Someone")
        emma.setValue(nil, forKey: "pages")
        #expect(emma.pages == nil)
        emma.setValuesForKeys(["title": "Other", "pages": 7, "size": NSNull()])
        #expect(emma.title == "Other" && emma.pages == 7 && emma.size == nil)
        let values = emma.dictionaryWithValues(forKeys: ["title", "size"])
        #expect(values["title"] as? String == "Other" && values["size"] is NSNull)
    }

    @Test("gives NSNull at the end of a path through dictionaries, and nil for a key that isn't there")
    func nullInDictionaries() {
        let json: NSDictionary = ["name": NSNull(), "author": ["name": NSNull(), "born": 1775] as NSDictionary]
        #expect(json.value(forKey: "name") is NSNull)
        #expect(json.value(forKeyPath: "name") is NSNull)
        #expect(json.value(forKeyPath: "author.name") is NSNull)
        #expect(json.value(forKeyPath: "author.died") == nil && json.value(forKeyPath: "name.first") == nil)
        #expect(NSPredicate(format: "author.name == nil AND author.born > 1700").evaluate(with: json))
    }

    @Test("maps over arrays with NSNull for a missing value, over sets without it")
    func mapping() {
        let books = NSArray(array: library.books)
        let pages = books.value(forKey: "pages") as? [Any]
        #expect(pages?.count == 8 && pages?[6] is NSNull && pages?[0] as? Int == 474)
        let authors = NSSet(array: library.books).value(forKey: "author") as? Set<Author>
        #expect(authors == [library.austen, library.bronte, library.capek, library.tolstoy])
        let titles = NSOrderedSet(array: library.books).value(forKey: "title") as? NSOrderedSet
        #expect(titles?.count == 8 && titles?.firstObject as? String == "Emma")
        #expect(library.austen.value(forKeyPath: "books.title") as? Set<String> == ["Emma", "Persuasion"])
        books.setValue(1, forKey: "copies")
        #expect(library.books.allSatisfy { $0.copies == 1 })
    }

    @Test("looks keys of dictionaries up, and writes them")
    func dictionaries() {
        let dictionary = NSMutableDictionary(dictionary: ["a": 1, "b": ["c": 2]])
        #expect(dictionary.value(forKeyPath: "b.c") as? Int == 2)
        #expect(dictionary.value(forKeyPath: "missing.c") == nil)
        #expect(dictionary.value(forKeyPath: "@count") as? Int == 2)
        dictionary.setValue(3, forKey: "a")
        dictionary.setValue(nil, forKey: "b")
        #expect(dictionary as? [String: Int] == ["a": 3])
    }

    @Test("reads the stored properties of Swift values as a last resort")
    func mirrors() throws {
        struct Point { var x = 1; var label: String? = "p"; var none: String? }
        class Base { var inherited = 2.5 }
        final class Derived: Base { lazy var late = 7; let point = Point() }
        let derived = Derived()
        _ = derived.late
        let predicate = NSPredicate(
            format: "point.x == 1 AND point.label == 'p' AND point.none == nil AND inherited == 2.5 AND late == 7")
        #expect(try predicate.checkedEvaluate(with: derived))
        #expect(throws: UndefinedKeyError.self) {
            try NSPredicate(format: "point.y == 1").checkedEvaluate(with: derived)
        }
    }

    /// Each operator's key path on the books with its value.
    @Test("has every collection operator")
    func operators() {
        let books = NSArray(array: library.books)
        func value(_ path: String) -> Any? { books.value(forKeyPath: path) }
        #expect(value("@count") as? Int == 8)
        #expect(value("@sum.pages") as? Int == 3029)
        #expect(value("@sum.price") as? NSDecimalNumber == NSDecimalNumber(string: "49.84"))
        #expect(value("@avg.copies") as? Double == 1.5)
        #expect(value("@min.title") as? String == "100% Wool?")
        #expect(value("@max.pages") as? Int == 1225)
        #expect(value("@max.published") as? Date == Library.date(2001, 1, 1))
        #expect((value("@unionOfObjects.author.name") as? [String])?.count == 6)
        #expect((value("@distinctUnionOfObjects.author.name") as? [String])?.count == 4)
        #expect((value("@unionOfArrays.tags") as? [String])?.count == 11)
        #expect((value("@distinctUnionOfArrays.tags") as? [String])?.count == 8)
        #expect((value("@unionOfSets.genres") as? [Genre])?.count == 10)
        #expect((value("@distinctUnionOfSets.genres") as? Set<Genre>)?.count == 4)
        #expect(NSSet(array: [1, 2, 2.0]).value(forKeyPath: "@sum.self") as? Int == 3)
        #expect(value("author.books.@count") as? Int == 8)
        #expect((NSArray().value(forKeyPath: "@sum.x")) as? Int == 0)
        #expect(NSArray().value(forKeyPath: "@avg.x") == nil)
        #expect(NSArray().value(forKeyPath: "@max.x") == nil)
    }

    @Test("has names for the operators that are written with an @")
    func operatorNames() {
        let operators: [NSKeyValueOperator] = [
            .averageKeyValueOperator, .countKeyValueOperator, .distinctUnionOfArraysKeyValueOperator,
            .distinctUnionOfObjectsKeyValueOperator, .distinctUnionOfSetsKeyValueOperator, .maximumKeyValueOperator,
            .minimumKeyValueOperator, .sumKeyValueOperator, .unionOfArraysKeyValueOperator,
            .unionOfObjectsKeyValueOperator, .unionOfSetsKeyValueOperator,
        ]
        for name in operators {
            let path = "@\(name.rawValue).self"
            #expect(
                NSArray(array: [[1], [2]]).value(forKeyPath: path) != nil || path.contains("avg")
                    || path.contains("max") || path.contains("min"), "\(path)")
        }
    }

    @Test("sums integers exactly, and goes over to floating point only where they overflow")
    func exactSums() {
        let large = NSArray(array: [Int64.max - 1, 1])
        #expect(large.value(forKeyPath: "@sum.self") as? Int64 == .max)
        let tooLarge = NSArray(array: [Int64.max, Int64.max])
        #expect(tooLarge.value(forKeyPath: "@sum.self") as? Double == 2 * 9223372036854775807.0)
        #expect(NSArray(array: [0.1, 0.2]).value(forKeyPath: "@sum.self") as? Double == 0.1 + 0.2)
    }

    @Test("offers live sets, ordered sets and arrays")
    func mutableProxies() {
        let genres = emma.mutableSetValue(forKey: "genres")
        genres.add(library.history)
        genres.remove(library.satire)
        #expect(emma.genres == [library.novel, library.history])
        emma.genres = [library.drama]
        #expect(genres.count == 1 && genres.contains(library.drama))
        genres.union(NSSet(array: [library.novel]) as! Set<AnyHashable>)
        #expect(emma.genres.count == 2)
        genres.removeAllObjects()
        #expect(emma.genres.isEmpty)

        let tags = emma.mutableArrayValue(forKey: "tags")
        tags.add("new")
        tags.insert("first", at: 0)
        tags.removeObject(at: 1)
        tags.replaceObject(at: 0, with: "changed")
        #expect(emma.tags == ["changed", "romance", "new"])
        tags.removeLastObject()
        #expect(tags.count == 2)

        let ordered = emma.mutableOrderedSetValue(forKey: "tags")
        ordered.add("x")
        #expect(ordered.array as? [String] == ["changed", "romance", "x"])

        library.books[0].mutableSetValue(forKeyPath: "author.books").remove(library.books[1])
        #expect(library.austen.books == [emma])
    }

    @Test("asks the object to check a value, which may put in another one")
    func validation() throws {
        var value: AnyObject? = "  padded " as NSString
        try Validated().validateValue(AutoreleasingUnsafeMutablePointer(&value), forKey: "name")
        #expect(value as? String == "padded")
        var empty: AnyObject?
        #expect(throws: CocoaError.self) {
            try Validated().validateValue(AutoreleasingUnsafeMutablePointer(&empty), forKey: "name")
        }
    }

    private final class Validated: NSObject, KeyPathCoding {
        var name = ""

        static var keyPathsByKey: [String: AnyKeyPath] { ["name": \Validated.name] }

        func validateKVCValue(_ value: inout Any?, forKey key: String) throws {
            guard let text = value as? String else { throw CocoaError(.keyValueValidation) }
            value = text.trimmingCharacters(in: .whitespaces)
        }
    }
}
