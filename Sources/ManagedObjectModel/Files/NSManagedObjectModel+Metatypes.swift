import Foundation
import FoundationCompat

// Initialisers on metatype values, as `MetatypeInitializers.swift` explains them.

extension NSObjectProtocol where Self: NSManagedObjectModel {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }

    /// `init(contentsOf:)` on a metatype value.
    public init?(contentsOf url: URL) {
        self.init(ifPossibleBy: MetatypeConstruction { ($0 as! NSManagedObjectModel.Type).made(contentsOf: url) })
    }

    /// `init(byMerging:)` on a metatype value.
    public init?(byMerging models: [NSManagedObjectModel]?) {
        self.init(ifPossibleBy: MetatypeConstruction { ($0 as! NSManagedObjectModel.Type).made(byMerging: models) })
    }
}

extension NSManagedObjectModel {
    fileprivate static func made(contentsOf url: URL) -> NSManagedObjectModel? {
        let model = (self as NSObject.Type).madePlainly(()) as! NSManagedObjectModel
        do {
            try ModelFile.read(url, version: nil, into: model)
            return model
        } catch {
            return nil
        }
    }

    fileprivate static func made(byMerging models: [NSManagedObjectModel]?) -> NSManagedObjectModel? {
        guard let models else { return nil }
        let model = (self as NSObject.Type).madePlainly(()) as! NSManagedObjectModel
        model.merge(models) { _ in true }
        return model
    }
}
