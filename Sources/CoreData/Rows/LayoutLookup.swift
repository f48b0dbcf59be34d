import ManagedObjectModel

/// Finds an entity's layout when an object is made.
enum LayoutLookup {
    /// - Parameter entity: one of the context's model, or the equally named one of a model that is equal: a migration manager,
    ///   say, works with copies.
    static func layout(of entity: NSEntityDescription, in context: NSManagedObjectContext?) -> EntityLayout {
        if let link = entity.compiledLayout as? LayoutLink, link.isAlive,
            context == nil || context?.model === link.layout.model
        {
            return link.layout
        }
        if let layout = context?.model.layout(of: entity) { return layout }
        let model = entity.managedObjectModel
        guard let layout = ModelLayout.of(model).layout(of: entity) else {
            fatalError("The entity '\(entity.name ?? "")' isn't in a managed object model.")
        }
        return layout
    }
}

/// An entity's way to its layout, good as long as the layout's model lives.
final class LayoutLink: @unchecked Sendable {
    unowned(unsafe) let layout: EntityLayout
    var isAlive = true
    init(_ layout: EntityLayout) { self.layout = layout }
}
