import SwiftParser
import SwiftSyntax

/// The base of what goes through a source once and collects edits of it, for what is compiled on Linux.
class SourceRewriter: SyntaxVisitor {
    let style: PortingStyle
    let surroundings: PortingSurroundings
    let tree: SourceFileSyntax
    let bytes: [UInt8]
    final var edits: [SourceEdit] = []
    /// What this source declares, and the others of its target.
    private(set) lazy var declarations = {
        var declarations = DeclarationTable(tree)
        declarations.add(surroundings.declarations)
        return declarations
    }()

    init(_ text: String, style: PortingStyle, surroundings: PortingSurroundings) {
        self.style = style
        self.surroundings = surroundings
        tree = Parser.parse(source: text)
        bytes = Array(text.utf8)
        super.init(viewMode: .sourceAccurate)
    }

    final override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for elements in node.clausesOnLinux(surroundings) { walk(elements) }
        return .skipChildren
    }

    /// The text of a part of the source.
    final func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// What stands before a place on its line.
    final func beginningOfLine(before offset: Int) -> ArraySlice<UInt8> {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return bytes[start..<offset]
    }

    /// Has a part of the source there twice, under a condition: as it was for Apple's platforms, and otherwise for Linux.
    final func divide(_ range: Range<Int>, onLinux: String) {
        let blanks = beginningOfLine(before: range.lowerBound).prefix {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
        }
        let indent = String(decoding: blanks, as: UTF8.self)
        edits.append(SourceEdit(insert: "#if canImport(ObjectiveC)\n\(indent)", at: range.lowerBound))
        edits.append(SourceEdit(insert: "\n\(indent)#else\n\(indent)\(onLinux)\n\(indent)#endif", at: range.upperBound))
    }
}
