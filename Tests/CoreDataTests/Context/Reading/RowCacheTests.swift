@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Testing

@testable import CoreData

@Suite("Which of several rows of one object is the newest")
struct RowCacheTests {
    private let stack: TemporaryStack
    private let book: EntityLayout
    private let cache = RowCache()

    init() throws {
        stack = try TemporaryStack()
        book = try #require(stack.context().model.entities.first { $0.name == "Book" })
    }

    private func page(_ version: Int64, of handle: Int64 = 1) -> RowPage {
        let page = RowPage(model: book.model, slotCount: book.rowSlotCount, capacity: 1)
        page.appendRow(handle: handle, entityIndex: book.index, version: version)
        return page
    }

    private func register(_ page: RowPage, wasSaved: Bool = false) {
        cache.register(page, root: book.root, wasSaved: wasSaved)
    }

    private var newest: RowDirectory.Newest {
        cache.newest(ObjectKey(handle: 1, entityIndex: book.index), root: book.root)
    }

    private var version: Int64? {
        if case .row(let row) = newest { row.version } else { nil }
    }

    @Test("A row that was read before a save, and comes after it, doesn't hide what was saved")
    func late() {
        let (read, saved, late) = (page(1), page(2), page(1))
        register(read)
        register(saved, wasSaved: true)
        register(late)
        #expect(version == 2)
        #expect(late.mayHaveSuccessors)
        withExtendedLifetime([read, saved]) {}
    }

    @Test("Nor when what was saved has gone from memory")
    func lateAfterAll() {
        do {
            let saved = page(2)
            register(saved, wasSaved: true)
        }
        let late = page(1)
        register(late)
        guard case .gone(version: 2) = newest else { Issue.record("\(newest)"); return }
        #expect(late.mayHaveSuccessors)
    }

    @Test("The later of two rows of one version is the newer one")
    func equal() {
        let (first, second) = (page(1), page(1))
        register(first)
        register(second)
        if case .row(let row) = newest { #expect(row.page === second) } else { Issue.record("no row") }
        withExtendedLifetime(first) {}
    }

    @Test("A row that was read before a deletion doesn't bring the object back; one that is saved anew does")
    func deleted() {
        let read = page(3)
        register(read)
        cache.forget(handles: [1], rootIndex: book.rootIndex, wereDeleted: true)
        let late = page(3)
        register(late)
        #expect(version == nil)
        let revived = page(1)
        register(revived, wasSaved: true)
        #expect(version == 1)
        withExtendedLifetime([read, late]) {}
    }
}
