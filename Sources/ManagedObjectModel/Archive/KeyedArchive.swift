import Foundation

/// The objects of a keyed archive (`NSKeyedArchiver`), undecoded.
package final class KeyedArchive {
    private let objects: [PropertyListNode]
    private let root: PropertyListNode

    /// How many values `ValueArchiveReader` may still decode. Arrays of an archive can refer to each other, so a small
    /// file could otherwise unfold without end.
    var remainingValues: Int

    /// Takes the objects of a binary or XML property list.
    /// - Parameter rootKey: the name under which the outermost object was archived.
    package init(_ data: Data, rootKey: String = "root") throws {
        guard let list = try PropertyListNode.read(data).dictionary, list["$archiver"]?.string == "NSKeyedArchiver",
            let objects = list["$objects"]?.array, let root = list["$top"]?.dictionary?[rootKey]
        else { throw ModelFileError(.malformed, "this is no keyed archive") }
        self.objects = objects
        self.root = root
        remainingValues = 4 * data.count
    }

    /// Whether every object that has a class is of one of these.
    package func hasOnly(classes: Set<String>) -> Bool {
        objects.allSatisfy { node in
            guard let name = node.dictionary?["$classname"]?.string else { return true }
            return classes.contains(name)
        }
    }

    /// What stands for the outermost object, whatever it is.
    package var rootNode: PropertyListNode { root }

    /// The outermost object.
    package func rootObject() throws -> ArchivedObject {
        guard let object = try object(at: root, in: "root") else {
            throw ModelFileError(.malformed, "the archive is empty")
        }
        return object
    }

    /// What a reference leads to: nil for "no object", the node itself where it is no reference.
    package func target(of node: PropertyListNode) throws -> PropertyListNode? {
        guard case .uid(let index) = node else { return node }
        guard objects.indices.contains(index) else {
            throw ModelFileError(.malformed, "the archive refers to an object that it does not have")
        }
        if index == 0 { return nil }
        guard case .uid = objects[index] else { return objects[index] }
        throw ModelFileError(.malformed, "a reference leads to another reference", at: "object \(index)")
    }

    /// The object, with a class, that a reference leads to; nil for "no object".
    package func object(at node: PropertyListNode, in context: String) throws -> ArchivedObject? {
        guard let target = try target(of: node) else { return nil }
        guard case .uid(let index) = node, case .dictionary(let fields) = target, let type = fields["$class"] else {
            throw ModelFileError(.malformed, "an object is expected, but there is a plain value", at: context)
        }
        guard let name = try self.target(of: type)?.dictionary?["$classname"]?.string else {
            throw ModelFileError(.malformed, "an object has no class", at: "object \(index)")
        }
        return ArchivedObject(archive: self, index: index, className: name, fields: fields)
    }
}
