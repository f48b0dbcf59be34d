import Foundation
import ManagedObjectModel

/// Finds the compiled model of a container in the main bundle, or in that of a target of the program.
enum ModelLookup {
    static func model(named name: String) -> NSManagedObjectModel {
        var failure = "neither the main bundle nor that of a target with models has a \(name).momd."
        if let url = ["momd", "mom"].lazy.compactMap({ Bundle.main.url(forResource: name, withExtension: $0) }).first {
            do {
                return try ModelFile.read(url)
            } catch {
                failure = "\(error)"
            }
        }
        let message = "CoreData: error: Failed to load model named \(name): \(failure)\n"
        FileHandle.standardError.write(Data(message.utf8))
        return NSManagedObjectModel()
    }
}
