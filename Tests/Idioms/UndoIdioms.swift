import CoreData

/// Undo as programs use it.
@MainActor
func undoIdioms(_ suite: Suite) {
    func context() -> NSManagedObjectContext {
        let context = CoreDataStack().viewContext
        context.undoManager = UndoManager()
        return context
    }

    suite("undo takes an edit back and redo makes it again") {
        let context = context()
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        person.name = "Grace"
        context.processPendingChanges()
        context.undo()
        try expect(person.name, is: "Ada")
        context.redo()
        try expect(person.name, is: "Grace")
    }

    suite("The manager's own undo takes an edit back") {
        let context = context()
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        context.undoManager!.removeAllActions()
        person.name = "Grace"
        context.undoManager!.undo()
        try expect(person.name, is: "Ada")
    }

    suite("A group is taken back at once") {
        let context = context()
        let person = Person(context: context)
        try context.save()
        context.undoManager!.beginUndoGrouping()
        person.name = "Grace"
        person.age = 3
        context.undoManager!.endUndoGrouping()
        context.undoManager!.undo()
        try expect(person.name == nil)
        try expect(person.age, is: 0)
    }

    suite("Edit and cancel by a nested group") {
        let context = context()
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        context.undoManager!.beginUndoGrouping()
        person.name = "Changed"
        context.undoManager!.endUndoGrouping()
        context.undoManager!.undoNestedGroup()
        try expect(person.name, is: "Ada")
    }

    suite("Edit and cancel by a group nested in another, on a private queue") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        try context.performAndWait {
            let manager = context.undoManager!
            let person = Person(context: context)
            person.name = "Ada"
            try context.save()
            manager.beginUndoGrouping()
            person.age = 36
            manager.beginUndoGrouping()
            person.name = "Changed"
            person.age = 37
            manager.endUndoGrouping()
            manager.undoNestedGroup()
            try expect(person.name, is: "Ada")
            try expect(person.age, is: 36)
            manager.endUndoGrouping()
            manager.undo()
            try expect(person.age, is: 0)
        }
    }

    suite("Undoing an insertion removes the object, undoing a deletion brings it back") {
        let context = context()
        let person = Person(context: context)
        context.processPendingChanges()
        context.undo()
        try expect(context.insertedObjects.isEmpty)
        let other = Person(context: context)
        try context.save()
        // The next event of the run loop has a group of its own.
        RunLoop.main.run(until: Date().addingTimeInterval(0.05))
        context.delete(other)
        context.processPendingChanges()
        context.undo()
        try expect(!other.isDeleted)
        _ = person
    }

    suite("There is no undo manager unless one is set") {
        let stack = CoreDataStack()
        try expect(stack.container.newBackgroundContext().undoManager == nil)
    }

    suite("Registration can be switched off") {
        let context = context()
        context.processPendingChanges()
        context.undoManager!.disableUndoRegistration()
        Person(context: context).name = "Import"
        context.processPendingChanges()
        context.undoManager!.enableUndoRegistration()
        try expect(!context.undoManager!.canUndo)
    }
}
