import CoreData

/// Walks through a store that it knows nothing about: reads it, follows a relationship, inserts, changes and
/// deletes an object, and opens the file anew after each save to prove it. Works on the file itself, so give it a copy.
@main
@MainActor
enum Tour {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let storePath = arguments.first, arguments.count <= 2 else {
            stop(code: 2, "usage: tour STORE [MODEL]")
        }
        do {
            let files = try TourFiles(storePath: storePath, modelPath: arguments.dropFirst().first)
            try ReadingTour(files: files).run()
            try WritingTour(files: files).run()
        } catch {
            stop(code: 1, "tour: \(storePath): \(Narration.words(for: error))")
        }
    }

    private static func stop(code: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(code)
    }
}
