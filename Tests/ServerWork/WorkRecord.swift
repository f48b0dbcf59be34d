import Foundation

/// What a save is about to do, and what it said that it did: the lines of a writer's own file.
package enum WorkRecord: Codable, Sendable {
    /// Written before a save: what there is when it has been done, and only then.
    case begun(token: String, Effects)
    case ended(token: String, Outcome)

    /// What a save does. All of it is said as it is afterwards, so that the saves that were done are enough to know what there is.
    package struct Effects: Codable, Sendable {
        /// The writer's own teams that it changes, with their members in order.
        package var teams: [String: Team] = [:]
        /// The members that it makes, with their tags.
        package var tags: [String: [String]] = [:]
        package var deletedTeams: [String] = []
        package var deletedMembers: [String] = []
        /// The member that it adds to a team of all writers, and that team.
        package var shared: [String: String] = [:]
        /// The members that it makes under names that other writers want as well.
        package var claims: [String] = []

        package init() {}
    }

    package struct Team: Codable, Sendable, Equatable {
        package var members: [String]
        package var saves: Int64

        package init(members: [String], saves: Int64) {
            self.members = members
            self.saves = saves
        }
    }

    package enum Outcome: Codable, Sendable {
        case saved
        /// The error says that nothing was saved.
        case failed(Failure)
        /// The error says that nobody knows.
        case unknown(Failure)
    }

    package struct Failure: Codable, Sendable {
        package let code: Int
        package let state: String
        package let text: String

        package init(_ error: any Error) {
            let error = error as NSError
            code = error.code
            state = error.userInfo["SQLSTATE"] as? String ?? ""
            text = String(error.localizedDescription.prefix(400))
        }
    }

    /// The team that all writers add to.
    package static let sharedTeams = (0..<3).map { "shared \($0)" }
    /// The owner of these teams.
    package static let everybody = "everybody"
    /// Under what members are called whose name several writers want.
    package static let claimPrefix = "claim "
}

/// A writer's file. Each line is there as soon as it is written, also where the process is killed the moment after.
package struct WorkLog: Sendable {
    private let descriptor: Int32

    package init(_ url: URL) throws {
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    package func append(_ record: WorkRecord) throws {
        var data = try JSONEncoder().encode(record)
        data.append(UInt8(ascii: "\n"))
        let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == data.count else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// What is in a file. The last line may be cut off, where its writer was killed: what it told of hadn't begun.
    package static func read(_ url: URL) throws -> [WorkRecord] {
        let decoder = JSONDecoder()
        // A killed writer's successor goes on in the same file, so a line that is cut off may be anywhere.
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).compactMap {
            try? decoder.decode(WorkRecord.self, from: Data($0))
        }
    }
}
