/// A module that a source imports.
struct ImportedModule: Hashable {
    let name: String
    /// Whether the source says `@testable`, and so may name internal types.
    let isTestable: Bool
}
