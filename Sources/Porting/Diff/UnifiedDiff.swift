/// The difference between two texts, in the form that `diff -u` and `git diff` have.
package enum UnifiedDiff {
    private static let contextCount = 3

    /// A line with its place in both texts.
    private struct Line {
        let mark: Character
        let text: Substring
        let old: Int
        let new: Int
    }

    /// The difference; nothing where the texts are the same.
    package static func text(from old: String, to new: String, path: String) -> String {
        guard old != new else { return "" }
        let lines = lines(from: old, to: new)
        var result = "--- a/\(path)\n+++ b/\(path)\n"
        for hunk in hunks(in: lines) {
            let part = lines[hunk]
            let removed = part.count { $0.mark != "+" }
            let added = part.count { $0.mark != "-" }
            let first = part[part.startIndex]
            result += "@@ -\(range(first.old, removed)) +\(range(first.new, added)) @@\n"
            for line in part {
                result += "\(line.mark)\(line.text)"
                if line.text.last?.isNewline != true { result += "\n\\ No newline at end of file\n" }
            }
        }
        return result
    }

    private static func range(_ start: Int, _ count: Int) -> String {
        // Of no lines at all, the one before is named.
        "\(count == 0 ? start : start + 1)\(count == 1 ? "" : ",\(count)")"
    }

    private static func lines(from old: String, to new: String) -> [Line] {
        let before = split(old)
        let after = split(new)
        let difference = after.difference(from: before)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < before.count || newIndex < after.count {
            if removed.contains(oldIndex), oldIndex < before.count {
                lines.append(Line(mark: "-", text: before[oldIndex], old: oldIndex, new: newIndex))
                oldIndex += 1
            } else if inserted.contains(newIndex), newIndex < after.count {
                lines.append(Line(mark: "+", text: after[newIndex], old: oldIndex, new: newIndex))
                newIndex += 1
            } else {
                lines.append(Line(mark: " ", text: before[oldIndex], old: oldIndex, new: newIndex))
                oldIndex += 1
                newIndex += 1
            }
        }
        return lines
    }

    /// The lines with their ends, so that a missing one at the end of the text counts.
    private static func split(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(where: \.isNewline).map(rest.index(after:)) ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    private static func hunks(in lines: [Line]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where lines[index].mark != " " {
            let around = max(0, index - contextCount)..<min(lines.count, index + contextCount + 1)
            if let last = hunks.last, last.upperBound >= around.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<around.upperBound
            } else {
                hunks.append(around)
            }
        }
        return hunks
    }
}
