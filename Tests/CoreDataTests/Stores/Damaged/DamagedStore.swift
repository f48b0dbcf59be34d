import CoreData
import Foundation

/// A sound store of the library, from whose bytes damaged ones are made.
enum DamagedStore {
    /// A store with some objects of every entity and every relationship, in one file.
    static func sound(at url: URL, books count: Int = 40) throws {
        let stack = try StoreStack(url, model: Library.model())
        let context = stack.context
        let authors = (0..<5).map {
            context.make("Author", ["name": "Author \($0)", "portrait": Data(count: 50 * $0)])
        }
        let genres = (0..<3).map { context.make("Genre", ["name": "Genre \($0)", "shelf": $0]) }
        let members = (0..<4).map { context.make("Member", ["name": "Member \($0)", "card": $0]) }
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        for number in 0..<count {
            let book = context.make(
                number.isMultiple(of: 5) ? "AudioBook" : "Book",
                [
                    "title": "Book \(number) " + String(repeating: "é", count: number), "identifier": UUID(),
                    "copies": number, "pages": number + 1, "price": NSDecimalNumber(string: "\(number).25"),
                    "published": start, "rating": Float(number) / 8, "author": authors[number % authors.count],
                ])
            book.mutableSetValue(forKey: "genres").add(genres[number % 3])
            book.mutableSetValue(forKey: "genres").add(genres[(number + 1) % 3])
            if number.isMultiple(of: 3) {
                context.make("Loan", ["lent": start, "due": start, "book": book, "member": members[number % 4]])
            }
        }
        try context.save()
        try stack.close()
    }

    static let modelPath = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    /// What a child that reads and changes these stores found out about each, by path.
    ///
    /// A child that crashes or hangs over a store is told of in that store's lines, and another goes on with the rest.
    static func outcomes(of stores: [URL], secondsForEach seconds: Double = 10) throws -> [String: [String]] {
        var outcomes: [String: [String]] = [:]
        var rest = stores.map(\.path)
        while !rest.isEmpty {
            let child = try ChildProcess(["read", modelPath] + rest)
            let (lines, endedWell) = child.finish(within: 20 + seconds * Double(rest.count))
            var current: String?
            for line in lines {
                if line.hasPrefix("begin ") {
                    current = String(line.dropFirst(6))
                } else if let path = current {
                    outcomes[path, default: []].append(line)
                    if line == "end" { current = nil }
                }
            }
            if endedWell { break }
            guard let place = rest.firstIndex(of: current ?? "") else {
                throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: "StoreWriter didn't start"])
            }
            outcomes[rest[place], default: []].append("CRASHED or hung")
            rest.removeFirst(place + 1)
        }
        return outcomes
    }
}
