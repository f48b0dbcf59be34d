import Foundation

/// `Idioms list GROUP` prints the claims of a group; `Idioms run GROUP NUMBER` tests one of them.
@main
@MainActor
struct Program {
    /// The groups, by the file that they are in.
    static let groups: [String: @MainActor (Suite) -> Void] = [
        "stack": stackIdioms, "objects": objectIdioms, "relationships": relationshipIdioms, "fetching": fetchIdioms,
        "results": resultsIdioms, "saving": savingIdioms, "undo": undoIdioms, "concurrency": concurrencyIdioms,
        "patterns": patternIdioms, "models": modelIdioms, "observing": observingIdioms, "memory": memoryIdioms,
        "custom-stores": customStoreIdioms, "library": libraryIdioms, "lifecycle": lifecycleIdioms,
        "history": historyIdioms, "migrations": migrationIdioms, "transformers": transformerIdioms,
        "merge-policies": mergePolicyIdioms, "imports": importIdioms, "lists": listIdioms, "queries": queryIdioms,
        "contexts": contextIdioms, "notifications": notificationIdioms, "stores": storeIdioms, "doubles": doubleIdioms,
        "tasks": taskIdioms, "file-stores": fileStoreIdioms, "errors": errorIdioms,
    ]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let group = groups[arguments.dropFirst().first!] else {
            print("usage: Idioms list|run \(groups.keys.sorted().joined(separator: "|")) [NUMBER]")
            exit(64)
        }
        let suite = Suite()
        group(suite)
        guard arguments.first == "run", let number = arguments.last.flatMap({ Int($0) }),
            suite.claims.indices.contains(number)
        else {
            for claim in suite.claims { print(claim.name) }
            return
        }
        switch suite.claims[number].body {
        case .now(let body):
            end { try body() }
        case .later(let body):
            Task { @MainActor in
                do {
                    try await body()
                    exit(0)
                } catch { fail(error) }
            }
            while true { RunLoop.main.run() }
        }
    }

    private static func end(_ body: () throws -> Void) {
        do { try body() } catch { fail(error) }
    }

    private static func fail(_ error: any Error) -> Never {
        print("failed: \(error)")
        exit(1)
    }
}
