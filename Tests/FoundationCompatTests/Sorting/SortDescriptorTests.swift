import FoundationCompat
import Testing

@Suite("Sort descriptors")
struct SortDescriptorTests {
    private func numbers(_ descriptors: NSSortDescriptor...) -> [Int] {
        Library.shared.books.sorted(using: descriptors).map(\.number)
    }

    @Test("order by a key, missing values first, equal ones in their old order")
    func keys() {
        #expect(numbers(NSSortDescriptor(key: "pages", ascending: true)) == [7, 8, 4, 2, 6, 1, 3, 5])
        #expect(numbers(NSSortDescriptor(key: "pages", ascending: false)) == [5, 3, 1, 6, 2, 4, 8, 7])
        #expect(numbers(NSSortDescriptor(key: "inPrint", ascending: true)) == [4, 6, 8, 1, 2, 3, 5, 7])
        #expect(numbers(NSSortDescriptor(key: "price", ascending: true)) == [6, 7, 8, 4, 2, 1, 3, 5])
        #expect(numbers(NSSortDescriptor(key: "published", ascending: true)) == [7, 1, 2, 3, 5, 4, 6, 8])
        #expect(numbers(NSSortDescriptor(key: "tags.@count", ascending: true)) == [3, 2, 4, 7, 1, 5, 6, 8])
    }

    @Test("are equal whether they are made of a key or of its key path")
    func equality() {
        KeyPathNames.register([\Book.title: "title"])
        let (key, keyPath) = (
            NSSortDescriptor(key: "title", ascending: true), NSSortDescriptor(keyPath: \Book.title, ascending: true)
        )
        #expect(key == keyPath && keyPath == key && key.hash == keyPath.hash)
        #expect(keyPath != NSSortDescriptor(key: "title", ascending: false))
        #expect(keyPath != NSSortDescriptor(key: "number", ascending: true))
    }

    @Test("order by several keys, the first one first")
    func severalKeys() {
        let byAuthor = NSSortDescriptor(key: "author.name", ascending: true)
        let byTitle = NSSortDescriptor(key: "title", ascending: false)
        #expect(numbers(byAuthor, byTitle) == [8, 7, 3, 2, 1, 4, 6, 5])
    }

    @Test("compare strings as their selector says")
    func selectors() {
        func sorted(_ texts: [String], _ selector: Selector) -> [String] {
            texts.sorted(using: NSSortDescriptor(key: "self", ascending: true, selector: selector))
        }
        #expect(sorted(["b", "B", "a", "C"], "compare:") == ["B", "C", "a", "b"])
        #expect(sorted(["b", "B", "a", "C"], "caseInsensitiveCompare:") == ["a", "b", "B", "C"])
        #expect(sorted(["f", "é", "d"], "localizedCompare:") == ["d", "é", "f"])
        #expect(sorted(["b", "A"], "localizedCaseInsensitiveCompare:") == ["A", "b"])
        #expect(sorted(["a10", "a9"], "localizedStandardCompare:") == ["a9", "a10"])
    }

    @Test("order by a block, which never sees a missing value")
    func comparators() {
        let byLength = NSSortDescriptor(key: "size", ascending: true) { _, _ in
            Issue.record("only one book has a size")
            return .orderedSame
        }
        #expect(numbers(byLength).last == 1)
        let byTitleLength = NSSortDescriptor(key: "title", ascending: false) { left, right in
            let (left, right) = ((left as! String).count, (right as! String).count)
            return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }
        #expect(numbers(byTitleLength).first == 8)
        #expect(byTitleLength.comparator("a", "bb") == .orderedAscending)
    }

    @Test("take key paths, also to optionals, with or without a registered name")
    func keyPaths() {
        #expect(numbers(NSSortDescriptor(keyPath: \Book.pages, ascending: true)) == [7, 8, 4, 2, 6, 1, 3, 5])
        #expect(numbers(NSSortDescriptor(keyPath: \Book.author?.born, ascending: false))[0...1] == [4, 6])
        #expect(NSSortDescriptor(keyPath: \Book.pages, ascending: true).keyPath == \Book.pages)
        KeyPathNames.register([\Book.copies: "copies"])
        #expect(NSSortDescriptor(keyPath: \Book.copies, ascending: true).key == "copies")
    }

    @Test("reverse, compare equal and hash by what they say")
    func identity() throws {
        let descriptor = NSSortDescriptor(key: "pages", ascending: true)
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(!reversed.ascending && reversed.key == "pages")
        #expect(descriptor == NSSortDescriptor(key: "pages", ascending: true))
        #expect(descriptor.hash == NSSortDescriptor(key: "pages", ascending: true).hash)
        #expect(descriptor != reversed)
        #expect(descriptor != NSSortDescriptor(key: "title", ascending: true))
        #expect(descriptor.selector == Selector("compare:"))
        #expect(descriptor.compare(Library.shared.books[0], to: Library.shared.books[1]) == .orderedDescending)
    }

    @Test("sort Foundation's collections")
    func collections() {
        let descending = [NSSortDescriptor(key: "self", ascending: false)]
        #expect(NSArray(array: [1, 3, 2]).sortedArray(using: descending) as? [Int] == [3, 2, 1])
        #expect(NSSet(array: [1, 3, 2]).sortedArray(using: descending) as? [Int] == [3, 2, 1])
        #expect(NSOrderedSet(array: [1, 3, 2]).sortedArray(using: descending) as? [Int] == [3, 2, 1])
        let array = NSMutableArray(array: [1, 3, 2])
        array.sort(using: descending)
        #expect(array as? [Int] == [3, 2, 1])
        let set = NSMutableOrderedSet(array: [1, 3, 2])
        set.sort(using: descending)
        #expect(set.array as? [Int] == [3, 2, 1])
        #expect(Set([1, 3, 2]).sorted(using: descending) == [3, 2, 1])
        #expect(NSArray(array: [2, 1]).sortedArray(using: []) as? [Int] == [2, 1])
    }

    @Test("go over to Swift's SortDescriptor and back")
    func swiftDescriptors() throws {
        let classic = NSSortDescriptor(SortDescriptor(\Book.title, order: .reverse))
        #expect(numbers(classic).first == 5)
        let swift = try #require(
            SortDescriptor(NSSortDescriptor(key: "pages", ascending: false), comparing: Book.self))
        #expect(Library.shared.books.sorted(using: swift).map(\.number) == [5, 3, 1, 6, 2, 4, 8, 7])
    }
}
