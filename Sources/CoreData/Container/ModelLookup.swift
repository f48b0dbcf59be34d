import Foundation
import ManagedObjectModel

/// Finds the compiled model of a container in the main bundle, or in that of a target of the program.
enum ModelLookup {
    static func model(named name: String) -> NSManagedObjectModel {
        for bundle in ModelBundles.ofProgram {
            for kind in ["momd", "mom"] {
                if let url = bundle.url(forResource: name, withExtension: kind),
                    let model = NSManagedObjectModel(contentsOf: url)
                {
                    return model
                }
            }
        }
        let message =
            "CoreData: error: Failed to load model named \(name): neither the main bundle nor that of a target with models "
            + "has a \(name).momd.\n"
        FileHandle.standardError.write(Data(message.utf8))
        return NSManagedObjectModel()
    }
}

/// The folder for stores of programs that name none.
enum DefaultDirectory {
    static var url: URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }
}
