import Foundation
import FoundationCompat
import ManagedObjectModel

// Initialisers on metatype values, as `MetatypeInitializers.swift` explains them.

extension NSFetchedResultsController {
    @usableFromInline convenience init(
        plainlyFor request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext, sections: String?,
        cache: String?
    ) {
        self.init(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: cache)
    }

    @_silgen_name(
        "$s8CoreData26NSFetchedResultsControllerC10plainlyFor2in8sections5cacheACyxG18ManagedObjectModel14NSFetchRequestCyxG_AA09NSManagedL7ContextCSSSgAOtcfC"
    )
    fileprivate static func made(
        for request: __owned NSFetchRequest<ResultType>, in context: __owned NSManagedObjectContext,
        sections: __owned String?, cache: __owned String?
    ) -> Self
}

extension NSObjectProtocol {
    /// `init(fetchRequest:managedObjectContext:sectionNameKeyPath:cacheName:)` on a metatype value.
    public init<ResultType>(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) where Self: NSFetchedResultsController<ResultType> {
        self.init(
            by: MetatypeConstruction {
                ($0 as! NSFetchedResultsController<ResultType>.Type).made(
                    for: fetchRequest, in: context, sections: sectionNameKeyPath, cache: name)
            })
    }
}
