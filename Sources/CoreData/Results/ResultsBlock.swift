import Foundation

/// A run of neighbouring objects of one section. Sections are cut into blocks so that a change costs the length of a block
/// and not that of the section.
final class ResultsBlock {
    static let capacity = 256

    var objects: ContiguousArray<NSManagedObject>
    unowned let section: ResultsSection
    /// The place among the section's blocks, and how many of the section's objects come before; set by the section.
    var place = 0
    var start = 0

    init(_ objects: some Sequence<NSManagedObject>, of section: ResultsSection) {
        self.objects = ContiguousArray(objects)
        self.section = section
    }
}
