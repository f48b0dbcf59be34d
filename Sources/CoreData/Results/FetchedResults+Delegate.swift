import Foundation
import ManagedObjectModel

// Calls of the delegate's methods.
extension FetchedResults {
    func send(_ changes: ResultsChanges) {
        guard !changes.isEmpty, let delegate, let sender else { return }
        if sendSnapshot(reloaded: changes.objects.filter { $0.type == .update }.map(\.object.objectID)) { return }
        if sectionNameKeyPath == nil, !methods.lacksDifference, let difference = changes.difference {
            methods.lacksDifference = !isAnswered { delegate.controller(sender, didChangeContentWith: difference) }
            if !methods.lacksDifference { return }
        }
        delegate.controllerWillChangeContent(sender)
        for change in changes.sections {
            delegate.controller(
                sender, didChange: change.section, atSectionIndex: change.index, for: change.type)
        }
        for change in changes.objects {
            delegate.controller(
                sender, didChange: change.object, at: change.old, for: change.type, newIndexPath: change.new)
        }
        delegate.controllerDidChangeContent(sender)
    }

    /// Returns whether the delegate took it.
    @discardableResult
    func sendSnapshot(reloaded: [NSManagedObjectID]) -> Bool {
        guard !methods.lacksSnapshot, let delegate, let sender, let arrangement else { return false }
        let snapshot = NSDiffableDataSourceSnapshotReference(
            sections: arrangement.sections.map(\.name),
            items: arrangement.sections.map { section in section.blocks.flatMap { $0.objects.map(\.objectID) } },
            reloaded: reloaded)
        methods.lacksSnapshot = !isAnswered { delegate.controller(sender, didChangeContentWith: snapshot) }
        return !methods.lacksSnapshot
    }

    /// Calls a method of the delegate; false where it ended in the default implementation.
    func isAnswered(_ call: () -> Void) -> Bool {
        delegateLacksMethod = false
        call()
        defer { delegateLacksMethod = false }
        return !delegateLacksMethod
    }

    /// A section's index title: the delegate's, or the controller's own.
    func title(forSectionName name: String) -> String? {
        delegateTitle(forSectionName: name) ?? indexTitle(name)
    }

    /// The delegate's index title of a section, which may be nil; nil of the outer optional where the delegate lacks
    /// the method, or calls the controller from within it.
    func delegateTitle(forSectionName name: String) -> String?? {
        guard !isAskingForTitle, !methods.lacksTitle, let delegate, let sender else { return nil }
        isAskingForTitle = true
        defer { isAskingForTitle = false }
        var title: String?
        methods.lacksTitle = !isAnswered {
            title = delegate.controller(sender, sectionIndexTitleForSectionName: name)
        }
        return methods.lacksTitle ? nil : .some(title)
    }
}
