/// A section's name and its number of objects.
struct SectionRun: Codable, Equatable {
    let name: String
    var count: Int
}
