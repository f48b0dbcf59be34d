import Foundation
import FoundationCompat

/// A section as the results show it: objects of one name that follow each other.
struct SectionRun: Codable, Equatable {
    let name: String
    var count: Int

    /// The sections of results, by their names in order.
    ///
    /// - Parameter keyPath: where the names come from, for the message.
    /// - Throws: an error where results of one section don't follow each other.
    static func runs(of names: some Sequence<String>, by keyPath: String) throws -> [SectionRun] {
        var runs: [SectionRun] = []
        var known = Set<String>()
        for (index, name) in names.enumerated() {
            if runs.last?.name == name {
                runs[runs.count - 1].count += 1
            } else if known.insert(name).inserted {
                runs.append(SectionRun(name: name, count: 1))
            } else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The fetched object at index \(index) has an out of order section name '\(name)'. Objects must be "
                        + "sorted by section name: let the first sort descriptor order them by '\(keyPath)'.")
            }
        }
        return runs
    }
}

/// The sections that objects are in, by their names.
extension ResultsOrder {
    /// The name of an object's section: the text of the value at the key path, empty where it is nil or there is no key path.
    func sectionName(of object: NSManagedObject) -> String {
        sectionNameKeyPath.map { Self.sectionName(for: object.value(forKeyPath: $0)) } ?? ""
    }

    /// The name of the section that a value stands for.
    static func sectionName(for value: Any?) -> String {
        guard let value else { return "" }
        // Numbers first: whether an object is bridged to a string costs more than the name.
        if let object = instance(value), let number = object as? NSNumber { return number.stringValue }
        switch value {
        case let text as String: return text
        case is NSNull: return ""
        default: return PrintedValue.text(of: value)
        }
    }

    /// Whether recorded runs are those of the objects. Objects of one name follow each other, so it is enough to look
    /// at the first and the last of each run.
    func fits(_ runs: [SectionRun], _ objects: [NSManagedObject]) -> Bool {
        var start = 0
        for run in runs {
            let last = start + run.count - 1
            guard sectionName(of: objects[start]) == run.name, sectionName(of: objects[last]) == run.name else {
                return false
            }
            start += run.count
        }
        return true
    }
}
