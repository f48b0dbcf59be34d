import Foundation
import ManagedObjectModel

/// Finds the compiled model of a container in the main bundle.
enum ModelLookup {
    static func model(named name: String) -> NSManagedObjectModel {
        for kind in ["momd", "mom"] {
            if let url = Bundle.main.url(forResource: name, withExtension: kind),
                let model = NSManagedObjectModel(contentsOf: url)
            {
                return model
            }
        }
        let message = "CoreData: error: Failed to load model named \(name): the main bundle has no \(name).momd.\n"
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
