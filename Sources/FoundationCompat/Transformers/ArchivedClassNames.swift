import Foundation
import Synchronization

/// The names that classes have in archives, where they aren't those that Swift gives: Foundation's archiver on Linux takes such
/// names (`setClassName`) and writes none of them, so the finished archive gets them here.
package enum ArchivedClassNames {
    /// By the class's name with its module.
    private static let names = Mutex([Foundation.NSStringFromClass(ArchivedDecimalNumber.self): "NSDecimalNumber"])

    /// The name with the module. A class that isn't at the top level has none that Foundation on Linux could tell, nor archive: it ends
    /// the program where it is asked.
    private static func ownName(of type: AnyClass) -> String? {
        let name = String(reflecting: type)
        guard !name.contains("("), !name.contains("<"), name.split(separator: ".").count == 2 else { return nil }
        return Foundation.NSStringFromClass(type)
    }

    /// Makes a name known, for archives that are written from now on.
    package static func register(_ name: String, for type: AnyClass) {
        guard let own = ownName(of: type) else { return }
        names.withLock { $0[own] = name }
    }

    /// Whether the class has another name in archives than Swift's.
    static func contains(_ type: AnyClass) -> Bool {
        guard let own = ownName(of: type) else { return false }
        return names.withLock { $0[own] != nil }
    }

    /// The archive, with the names in the place of Swift's.
    static func applied(to archive: Data) throws -> Data {
        let names = names.withLock { $0 }
        guard
            var list = try PropertyListSerialization.propertyList(from: archive, format: nil) as? [String: Any],
            var objects = list["$objects"] as? [Any]
        else { return archive }
        for (index, object) in objects.enumerated() {
            guard var fields = object as? [String: Any], let own = fields["$classname"] as? String,
                let hierarchy = fields["$classes"] as? [String]
            else { continue }
            fields["$classname"] = names[own] ?? own
            fields["$classes"] = hierarchy.map { names[$0] ?? $0 }
            objects[index] = fields
        }
        list["$objects"] = objects
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
}
