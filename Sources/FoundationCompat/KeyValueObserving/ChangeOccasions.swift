import Dispatch
import Foundation

/// When a property is looked at whose object doesn't tell of its changes.
package enum ChangeOccasions {
    /// Again and again.
    case intervals(milliseconds: Int)
    /// Whenever an object posts one of these notifications, on the thread that posts it.
    case notifications([Notification.Name], of: AnyObject)
    case never

    /// Calls a block at each of them.
    ///
    /// - Returns: what ends that.
    func begin(_ look: @escaping @Sendable () -> Void) -> () -> Void {
        switch self {
        case .intervals(let milliseconds):
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
            timer.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
            timer.setEventHandler(handler: look)
            timer.resume()
            return { timer.cancel() }
        case .notifications(let names, let poster):
            let tokens = names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: poster, queue: nil) { _ in look() }
            }
            return { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        case .never: return {}
        }
    }
}

/// An object that posts notifications when its properties have changed, but doesn't tell of each.
package protocol NotifyingOfChanges: AnyObject {
    /// When a property is to be looked at; nil for one of which the object tells by key.
    ///
    /// - Parameter key: the name that the key path to the property has; nil where it has none.
    func occasions(forKey key: String?) -> ChangeOccasions?
}

extension UndoManager: NotifyingOfChanges {
    package func occasions(forKey key: String?) -> ChangeOccasions? {
        let names: [Notification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerDidUndoChange,
            .NSUndoManagerDidRedoChange,
        ]
        return key == nil ? .notifications(names, of: self) : nil
    }
}
