import SwiftSyntax

extension SourcePorter {
    /// Writes `Foundation.ValueTransformer` as `CoreData.ValueTransformer`: what Linux' Foundation lacks, or has without what
    /// Core Data needs, is CoreData's there, and on Apple's platforms the module names both.
    func portQualifier(_ module: TokenSyntax?, of name: TokenSyntax) {
        guard let module, module.text == "Foundation", CoreDataNames.contains(name.plain) else { return }
        edits.append(SourceEdit(module.trimmedStart..<module.trimmedEnd, "CoreData"))
        requireCoreData()
    }
}
