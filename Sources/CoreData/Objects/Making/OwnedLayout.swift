@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// An entity's layout with the layout of its model, without which it doesn't live.
struct OwnedLayout {
    let layout: EntityLayout
    let model: ModelLayout
    /// Whether the framework makes the object, and gives it identity and values itself.
    let isSeeded: Bool

    /// Finds the layout of an entity when an object is made.
    ///
    /// - Parameter entity: one of the context's model, or the equally named one of a model that is equal. Shared: to retain what weak
    ///   references lead to costs more than all the rest, and every object that is made comes here.
    init(of entity: __shared NSEntityDescription, in context: __shared NSManagedObjectContext?) {
        if let seeded = ManagedObjectSeed.current(of: entity, in: context) {
            self.init(layout: seeded.layout, model: seeded.model, isSeeded: true)
            return
        }
        if let model = context?.knownModel, let layout = model.layout(of: entity) {
            self.init(layout: layout, model: model, isSeeded: false)
            return
        }
        // An entity of no model, or of one that has gone, makes objects too, as long as it has a name.
        let model = entity.owningModel.map(ModelLayout.of) ?? ModelLayout(of: entity)
        guard let layout = model.layout(of: entity) else {
            fatalError("The entity '\(entity.name ?? "")' isn't in a managed object model.")
        }
        self.init(layout: layout, model: model, isSeeded: false)
    }

    init(_ layout: EntityLayout) { self.init(layout: layout, model: layout.model, isSeeded: false) }

    /// An object of the class that the model names for the entity.
    func objectOfOwnClass(in context: NSManagedObjectContext?) -> NSManagedObject {
        let object = layout.objectClass.made(by: ManagedObjectSeed(self, insertionContext: context))
        if context == nil { object.setDefaultValues() }
        return object
    }

    private init(layout: EntityLayout, model: ModelLayout, isSeeded: Bool) {
        self.layout = layout
        self.model = model
        self.isSeeded = isSeeded
    }
}
