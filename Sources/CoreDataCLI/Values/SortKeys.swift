import ArgumentParser
import CoreData

/// The keys of `--sort name,-age`: key paths in order, each descending where it has a minus.
struct SortKeys: ExpressibleByArgument, Sendable {
    private struct Key {
        let path: String
        let isAscending: Bool
    }

    private let keys: [Key]

    init?(argument: String) {
        var keys: [Key] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.drop { $0 == "-" || $0 == "+" }
            guard !name.isEmpty, part.count - name.count <= 1 else { return nil }
            keys.append(Key(path: String(name), isAscending: !part.hasPrefix("-")))
        }
        self.keys = keys
    }

    /// The descriptors for a fetch of `entity`, after a look at whether each key path leads to an attribute.
    func descriptors(for entity: NSEntityDescription) throws -> [NSSortDescriptor] {
        try keys.map { key in
            try Self.check(key.path, from: entity)
            return NSSortDescriptor(key: key.path, ascending: key.isAscending)
        }
    }

    private static func check(_ path: String, from entity: NSEntityDescription) throws {
        var current = entity
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, name) in names.enumerated() {
            switch try current.property(named: name) {
            case let relationship as NSRelationshipDescription:
                guard !relationship.isToMany, index < names.count - 1, let destination = relationship.destinationEntity
                else {
                    throw CommandFailure("--sort \(path)", "\(name) is a relationship; sort by an attribute.")
                }
                current = destination
            default:
                // What follows an attribute is an element of a composite one; the store knows those.
                return
            }
        }
    }
}
