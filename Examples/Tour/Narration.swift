import CoreData

/// How the tour talks: headings, and objects and values in a few words.
enum Narration {
    static func heading(_ text: String) {
        print("\n\(text)\n" + String(repeating: "-", count: text.count))
    }

    static func skipped(_ reason: String) {
        print("Skipped: \(reason)")
    }

    /// The object's key and its first values, on one line; the value of a key that matters comes before the others.
    static func words(for object: NSManagedObject, showing first: String? = nil) -> String {
        let others = object.entity.attributesByName.filter { !$0.value.isTransient && $0.key != first }.keys.sorted()
        let names = [first].compactMap { $0 } + others
        let values = names.compactMap { name -> String? in
            guard let value = object.value(forKey: name) else { return nil }
            return "\(name): \(words(for: value))"
        }
        return ([key(of: object)] + values.prefix(4)).joined(separator: "  ")
    }

    /// The entity and the last part of the URI, such as `Book/p1`.
    static func key(of object: NSManagedObject) -> String {
        "\(object.entity.name ?? "?")/\(object.objectID.uriRepresentation().lastPathComponent)"
    }

    static func words(for value: Any) -> String {
        switch value {
        case let text as String:
            "\u{201C}" + text.prefix(40).replacingOccurrences(of: "\n", with: " ") + (text.count > 40 ? "…" : "")
                + "\u{201D}"
        case let data as Data: "\(data.count) bytes"
        case let date as Date: date.description
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let number as NSNumber: number.description
        default: "(\(type(of: value)))"
        }
    }

    static func words(for error: any Error) -> String {
        let error = error as NSError
        let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
        return ([error.localizedDescription] + details.map { words(for: $0) }).joined(separator: "; ")
    }
}
