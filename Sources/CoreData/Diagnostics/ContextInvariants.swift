#if DEBUG
    @_spi(Engine) import CoreDataRows
    import ManagedObjectModel

    extension NSManagedObjectContext {
        /// What is wrong with the context, its objects, the row caches and the stores, for tests; empty where all is well.
        ///
        /// Looks at what is in memory alone: nothing is read because of it. To be called on the context's queue.
        package func checkInvariants() -> [String] {
            var found = wrongRegistrations()
            for object in registry.allObjects() where !object.isFault && !object.flags.contains(.inaccessible) {
                found += object.oneSidedRelationships()
                if let text = object.rowThatDiffers(in: self) { found.append(text) }
            }
            for case let store as NSAtomicStore in coordinator.persistentStores { found += store.oneSidedNodes() }
            return found
        }

        private func wrongRegistrations() -> [String] {
            var found: [String] = []
            func check(_ list: ObjectList, _ flag: ObjectFlags, _ name: String) {
                for object in list.objects {
                    if object.flags.intersection(.changed) != flag {
                        found.append("\(object.objectID) is among the \(name) objects, and its flags say otherwise")
                    }
                    if !list.holds(object) { found.append("\(object.objectID) has a wrong place") }
                    if object.ownContext !== self { found.append("\(object.objectID) has another context") }
                    if registeredObject(for: object.key, layout: object.layout, storeIndex: object.storeIndex)
                        !== object
                    {
                        found.append("\(object.objectID) isn't registered")
                    }
                }
            }
            check(inserted, .inserted, "inserted")
            check(updated, .updated, "updated")
            check(deleted, .deleted, "deleted")
            let listed = inserted.objects.count + updated.objects.count + deleted.objects.count
            let flagged = registry.allObjects().count { $0.hasChanges }
            if listed != flagged { found.append("\(flagged) objects are flagged as changed, and \(listed) are listed") }
            return found
        }
    }

    extension NSManagedObject {
        /// The relationships whose other side, as far as it is in memory, says something else.
        fileprivate final func oneSidedRelationships() -> [String] {
            guard !isToBeDeleted else { return [] }
            var found: [String] = []
            for property in layout.relationships where property.inverse != nil && !property.isTransient {
                for destination in destinationsInMemory(property) where !destination.isFault {
                    if destination.isToBeDeleted {
                        if destination.flags.contains(.deletePropagated),
                            property.inverse?.deleteRule != .noActionDeleteRule
                        {
                            found.append("\(objectID).\(property.name) leads to the deleted \(destination.objectID)")
                        }
                        continue
                    }
                    guard let inverse = destination.inverse(of: property), destination.knows(inverse) else { continue }
                    if !destination.destinationsInMemory(inverse).contains(where: { $0 === self }) {
                        found.append(
                            "\(objectID).\(property.name) leads to \(destination.objectID), whose \(inverse.name) doesn't "
                                + "lead back")
                    }
                }
            }
            return found
        }

        private final func knows(_ property: PropertyLayout) -> Bool {
            property.kind == .toOne || state?.toManys[property.index]?.isLoaded ?? false
        }

        private final func destinationsInMemory(_ property: PropertyLayout) -> [NSManagedObject] {
            if property.kind == .toMany {
                guard let members = state?.toManys[property.index], members.isLoaded else { return [] }
                return Array(members.ordered)
            }
            if let known = state?.toOnes[property.index] { return known.map { [$0] } ?? [] }
            guard case .reference(let key) = field(property), let context = ownContext else { return [] }
            let (place, storeIndex) = context.registration(of: key, storeIndex: storeIndex)
            return context.registeredObject(
                for: place, layout: layout.model.entities[Int(key.entityIndex)], storeIndex: storeIndex
            ).map { [$0] } ?? []
        }

        /// A row in the cache of the same version as the object's own, and with other values.
        fileprivate final func rowThatDiffers(in context: NSManagedObjectContext) -> String? {
            guard context.parent == nil, let mine = snapshot, let store = context.registry.store(at: storeIndex),
                case .row(let row) = store.rowCache.newest(key, root: layout.root), row.version == mine.version
            else { return nil }
            for property in layout.storedLeaves
            where mine.page.value(mine.row, property) != row.page.value(row.row, property) {
                return
                    "\(objectID).\(property.name) is \(mine.page.value(mine.row, property)) in the object's row, and "
                    + "\(row.page.value(row.row, property)) in the cache's of the same version"
            }
            return nil
        }
    }

    extension NSAtomicStore {
        fileprivate func oneSidedNodes() -> [String] {
            let nodes = cacheNodes()
            var found: [String] = []
            func destinations(_ node: NSAtomicStoreCacheNode, _ name: String) -> [NSAtomicStoreCacheNode] {
                switch node.value(forKey: name) {
                case let node as NSAtomicStoreCacheNode: [node]
                case let set as NSOrderedSet: set.array.compactMap { $0 as? NSAtomicStoreCacheNode }
                case let set as NSSet: set.allObjects.compactMap { $0 as? NSAtomicStoreCacheNode }
                default: []
                }
            }
            for node in nodes {
                for property in node.objectID.layout.relationships where property.isPersistent {
                    guard let inverse = property.inverse?.name else { continue }
                    for destination in destinations(node, property.name) {
                        if !nodes.contains(destination) {
                            found.append("the node \(node.objectID).\(property.name) leads to one that has gone")
                        } else if !destinations(destination, inverse).contains(where: { $0 === node }) {
                            found.append(
                                "the node \(node.objectID).\(property.name) leads to \(destination.objectID), whose "
                                    + "\(inverse) doesn't lead back")
                        }
                    }
                }
            }
            return found
        }
    }
#endif
