import CoreData
import Foundation

/// Reads a large model from a file, hashes included, as an app does when it starts.
struct ReadLargestModel: Workload {
    let form: LargestModel.Form

    var name: String { "read-model-\(form.rawValue)" }
    var title: String {
        switch form {
        case .compiled: "read the largest model, compiled"
        case .source: "read the largest model, as XML"
        }
    }
    var sides: [Side] { [.coreData] }
    var template: StoreTemplate { .model(form) }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work { throw notComparable(.plain) }
    func records(_ store: URL) throws -> Work { throw notComparable(.records) }

    func coreData(_ store: URL) throws -> Work {
        return {
            let model = try ModelFile.read(store)
            guard model.entityVersionHashesByName.count == model.entities.count else {
                throw BenchmarkError("an entity of the largest model has no hash")
            }
            return Int64(LargestModel.size(of: model))
        }
    }

    private func notComparable(_ side: Side) -> BenchmarkError {
        BenchmarkError("\(side.title) has no models to read")
    }
}
