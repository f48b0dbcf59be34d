import ManagedObjectModel

/// An entity's layout with the layout of its model, without which it doesn't live.
struct OwnedLayout {
    let layout: EntityLayout
    let model: ModelLayout

    /// Finds the layout of an entity when an object is made.
    ///
    /// - Parameter entity: one of the context's model, or the equally named one of a model that is equal.
    init(of entity: NSEntityDescription, in context: NSManagedObjectContext?) {
        if let context {
            let model = context.model
            if let layout = model.layout(of: entity) {
                self.init(layout: layout, model: model)
                return
            }
        } else if let seed = ManagedObjectSeed.current, seed.entity === entity {
            self.init(layout: seed.layout, model: seed.model)
            return
        }
        let model = ModelLayout.of(entity.managedObjectModel)
        guard let layout = model.layout(of: entity) else {
            fatalError("The entity '\(entity.name ?? "")' isn't in a managed object model.")
        }
        self.init(layout: layout, model: model)
    }

    private init(layout: EntityLayout, model: ModelLayout) {
        self.layout = layout
        self.model = model
    }
}
