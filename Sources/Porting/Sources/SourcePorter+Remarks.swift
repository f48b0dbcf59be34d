import SwiftSyntax

extension SourcePorter {
    /// How remarks end on files that nothing is compiled of on Linux.
    static let leftOut = "and is left out there"

    func remark(_ message: String, at node: some SyntaxProtocol) {
        remarks.append((node.trimmedStart, message))
    }

    /// The remarks with the lines that people will look at: of the original where that stays, and else of the new text.
    func located(in text: String) -> [PortingRemark] {
        let new = Array(text.utf8)
        return remarks.map { offset, message in
            let line =
                switch style {
                case .overlay:
                    converter.location(for: AbsolutePosition(utf8Offset: offset)).presumedLine
                case .portable:
                    new[..<SourceEdit.offset(offset, after: edits)].count { $0 == UInt8(ascii: "\n") } + 1
                }
            return PortingRemark(file: path, line: line, message: message)
        }
    }
}
