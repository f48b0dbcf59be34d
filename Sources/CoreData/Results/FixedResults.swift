import Foundation

/// The results of a controller whose request asks for dictionaries or object IDs: as they were fetched, until the next fetch. No change
/// of the context is one of theirs, so delegates hear of none (dictionaries: seen in published programs; IDs: our choice).
final class FixedResults {
    let sections: [Section]

    /// - Parameters:
    ///   - values: the results in order.
    ///   - keyPath: the key of the dictionaries by which they are put into sections.
    ///   - title: gives the index title for a section's name.
    /// - Throws: an error where results of one section don't follow each other.
    init(_ values: [Any], sectionNameKeyPath keyPath: String?, title: @escaping (String) -> String?) throws {
        guard let keyPath else {
            sections = [Section("", values, title)]
            return
        }
        let names = values.lazy.map { ResultsOrder.sectionName(for: ($0 as? NSDictionary)?[keyPath]) }
        var rest = values[...]
        sections = try SectionRun.runs(of: names, by: keyPath).map { run in
            defer { rest = rest.dropFirst(run.count) }
            return Section(run.name, Array(rest.prefix(run.count)), title)
        }
    }

    func value(at indexPath: IndexPath) -> Any? {
        guard indexPath.count == 2, sections.indices.contains(indexPath.section),
            sections[indexPath.section].values.indices.contains(indexPath.row)
        else { return nil }
        return sections[indexPath.section].values[indexPath.row]
    }

    func indexPath(of value: NSObject) -> IndexPath? {
        for (index, section) in sections.enumerated() {
            if let row = section.values.firstIndex(where: { value.isEqual($0) }) { return [index, row] }
        }
        return nil
    }

    final class Section: NSFetchedResultsSectionInfo {
        let name: String
        let values: [Any]
        private let title: (String) -> String?

        fileprivate init(_ name: String, _ values: [Any], _ title: @escaping (String) -> String?) {
            self.name = name
            self.values = values
            self.title = title
        }

        var indexTitle: String? { title(name) }
        var numberOfObjects: Int { values.count }
        var objects: [Any]? { values }
    }
}
