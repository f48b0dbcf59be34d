import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSSortDescriptor

/// In what order objects come, and in which section.
struct ResultsOrder {
    let descriptors: [NSSortDescriptor]
    let sectionNameKeyPath: String?

    /// Whether the first object has to come before the second one; nil where they are equal.
    func precedes(_ first: NSManagedObject, _ second: NSManagedObject) -> Bool? {
        for descriptor in descriptors {
            switch descriptor.compare(first, to: second) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return nil
    }

    /// The name of an object's section: the text of the value at the key path, empty where it is nil or there is no key path.
    func sectionName(of object: NSManagedObject) -> String {
        sectionNameKeyPath.map { Self.sectionName(for: object.value(forKeyPath: $0)) } ?? ""
    }

    /// The name of the section that a value stands for.
    static func sectionName(for value: Any?) -> String {
        guard let value else { return "" }
        switch value {
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case is NSNull: return ""
        default: return "\(value)"
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
