import CoreData
import Journal
import XCTest

final class JournalTests: XCTestCase {
    private var folder: URL!
    private var store: JournalStore!
    private var context: NSManagedObjectContext { store.container.viewContext }

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try open()
    }

    override func tearDownWithError() throws {
        store = nil
        try FileManager.default.removeItem(at: folder)
    }

    private func open() throws -> JournalStore {
        try JournalStore(url: folder.appendingPathComponent("Journal.sqlite"))
    }

    #if os(Linux)
        /// A program's targets have bundles of their own there, which belong to the main one.
        func testTheModelIsFoundByItsName() throws {
            XCTAssertEqual(
                NSPersistentContainer(name: "Journal").managedObjectModel, store.container.managedObjectModel)
            let bundles = [nil, Bundle.allBundles, [Bundle(for: Note.self)]]
            for bundles in bundles {
                let model = try XCTUnwrap(NSManagedObjectModel.mergedModel(from: bundles))
                XCTAssertEqual(
                    model.entityVersionHashesByName,
                    store.container.managedObjectModel.entityVersionHashesByName)
            }
        }
    #endif

    func testGeneratedPropertiesKeepTheirValues() throws {
        let diary = Diary(context: context)
        diary.title = "Travels"
        diary.isLocked = true
        let note = Note(context: context)
        note.text = "a day by the sea"
        note.rating = 4
        note.diary = diary
        let id = note.id
        try context.save()
        store = try open()

        let found = try XCTUnwrap(context.fetch(Note.fetchRequest()).first)
        XCTAssertEqual(found.text, "a day by the sea")
        XCTAssertEqual(found.wordCount, 5)
        XCTAssertEqual(found.rating?.intValue, 4)
        XCTAssertEqual(found.id, id)
        XCTAssertNotNil(id)
        XCTAssertEqual(found.diary?.title, "Travels")
        XCTAssertEqual(found.diary?.isLocked, true)
    }

    func testHandWrittenPropertiesKeepTheirValues() throws {
        let photo = Photo(context: context)
        photo.image = Data([1, 2, 3])
        photo.link = URL(string: "https://example.org/1")
        photo.exposure = 0.25
        photo.exposure += 0.25
        photo.price = NSDecimalNumber(string: "12.50")
        photo.orientation = .down
        photo.labels = ["sea", "sun"]
        try context.save()
        store = try open()

        let found = try XCTUnwrap(context.fetch(NSFetchRequest<Photo>(entityName: "Photo")).first)
        XCTAssertEqual(found.image, Data([1, 2, 3]))
        XCTAssertEqual(found.link?.absoluteString, "https://example.org/1")
        XCTAssertEqual(found.exposure, 0.5)
        XCTAssertEqual(found.price, NSDecimalNumber(string: "12.5"))
        XCTAssertEqual(found.orientation, .down)
        XCTAssertEqual(found.labels, ["sea", "sun"])
        XCTAssertNotNil(found.createdAt)
    }

    func testOrderedEntriesKeepTheirOrder() throws {
        let diary = Diary(context: context)
        diary.title = "Days"
        let notes = (0..<4).map { number in
            let note = Note(context: context)
            note.text = "\(number)"
            return note
        }
        diary.addToEntries(NSOrderedSet(array: [notes[0], notes[2]]))
        diary.insertIntoEntries(notes[1], at: 1)
        diary.addToEntries(notes[3])
        diary.removeFromEntries(at: 0)
        XCTAssertEqual(diary.entries?.array as? [Note], [notes[1], notes[2], notes[3]])
        XCTAssertEqual(notes[1].diary, diary)
        XCTAssertNil(notes[0].diary)
        try context.save()
        store = try open()

        let found = try XCTUnwrap(context.fetch(Diary.fetchRequest()).first)
        XCTAssertEqual((found.entries?.array as? [Note])?.map(\.text), ["1", "2", "3"])
    }

    func testTagsAreSharedByEntries() throws {
        let note = Note(context: context)
        let photo = Photo(context: context)
        let tag = JournalTag(context: context)
        tag.name = "sea"
        tag.addToEntries(note)
        photo.addToTags(tag)
        XCTAssertEqual(tag.entries, [note, photo])
        XCTAssertEqual(note.tags as? Set<JournalTag>, [tag])
        try context.save()
        store = try open()

        let found = try XCTUnwrap(context.fetch(JournalTag.fetchRequest()).first)
        XCTAssertEqual(found.entries.count, 2)
        found.removeFromEntries(try XCTUnwrap(found.entries.first { $0 is Photo }))
        XCTAssertTrue(found.entries.first is Note)
    }

    func testDeletingADiaryDeletesItsEntries() throws {
        let diary = Diary(context: context)
        diary.title = "Days"
        let note = Note(context: context)
        note.diary = diary
        try context.save()
        context.delete(diary)
        try context.save()
        XCTAssertEqual(try context.count(for: Note.fetchRequest()), 0)
    }

    func testKeyPathsHaveTheNamesOfTheirProperties() throws {
        let diary = Diary(context: context)
        diary.title = "Days"
        for text in ["by the Sea", "in town", "the sea again"] {
            let note = Note(context: context)
            note.text = text
            note.diary = diary
        }
        try context.save()
        XCTAssertEqual(
            try store.notes(in: diary, mentioning: "sea").map(\.text), ["the sea again", "by the Sea"])
        XCTAssertEqual(NSSortDescriptor(keyPath: \JournalTag.name, ascending: true).key, "name")
    }

    func testObjectsAreIdentifiable() {
        func id<Value: Identifiable>(of value: Value) -> Value.ID { value.id }
        let diary = Diary(context: context)
        XCTAssertEqual(id(of: diary), ObjectIdentifier(diary))
        let note = Note(context: context)
        XCTAssertEqual(id(of: note), note.id)
    }
}
