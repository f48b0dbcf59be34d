// Foundation's own declarations of these names are stubs on Linux. A scoped export beats them in every file that imports
// CoreData, beside Foundation or without it.
//
// A file of this module that needs one of them exports it again itself: a plain scoped import anywhere in the module takes
// the export back.

@_exported import CoreDataRows
@_exported import Foundation
@_exported import ManagedObjectModel

@_exported import class FoundationCompat.FileProtectionType
@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSException
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSKeyValueObservation
@_exported import class FoundationCompat.NSPredicate
@_exported import typealias FoundationCompat.NSInteger
@_exported import class FoundationCompat.NSSecureUnarchiveFromDataTransformer
@_exported import class FoundationCompat.NSSortDescriptor
@_exported import class FoundationCompat.UndoManager
@_exported import class FoundationCompat.ValueTransformer
@_exported import enum FoundationCompat.KeyPathNames
@_exported import enum FoundationCompat.NSKeyValueChange
@_exported import enum FoundationCompat.NSKeyValueSetMutationKind
@_exported import enum FoundationCompat.objc_AssociationPolicy
@_exported import func FoundationCompat.NSClassFromString
@_exported import func FoundationCompat.NSSelectorFromString
@_exported import func FoundationCompat.NSStringFromClass
@_exported import func FoundationCompat.NSStringFromSelector
@_exported import func FoundationCompat.autoreleasepool
@_exported import func FoundationCompat.objc_getAssociatedObject
@_exported import func FoundationCompat.objc_removeAssociatedObjects
@_exported import func FoundationCompat.objc_setAssociatedObject
@_exported import func FoundationCompat.objc_sync_enter
@_exported import func FoundationCompat.objc_sync_exit
@_exported import protocol FoundationCompat.ExpressionFactory
@_exported import protocol FoundationCompat.KeyPathCoding
@_exported import protocol FoundationCompat.KeyValueCoding
@_exported import protocol FoundationCompat.KeyValueDependencies
@_exported import protocol FoundationCompat.KeyValueObserver
@_exported import protocol FoundationCompat.PredicateComparableObject
@_exported import protocol FoundationCompat.PredicateFactory
@_exported import protocol FoundationCompat.SelectorPerforming
@_exported import protocol FoundationCompat.ValueTransformerFactory
@_exported import struct FoundationCompat.AutoreleasingUnsafeMutablePointer
@_exported import struct FoundationCompat.DeclaredMethod
@_exported import struct FoundationCompat.FormatError
@_exported import struct FoundationCompat.NSKeyValueChangeKey
@_exported import struct FoundationCompat.NSKeyValueObservedChange
@_exported import struct FoundationCompat.NSKeyValueObservingOptions
@_exported import struct FoundationCompat.NSKeyValueOperator
@_exported import struct FoundationCompat.NSValueTransformerName
@_exported import struct FoundationCompat.Selector
@_exported import struct FoundationCompat.UndefinedKeyError
@_exported import struct FoundationCompat.UnknownSelectorError
@_exported import var FoundationCompat.MSEC_PER_SEC
@_exported import var FoundationCompat.NSEC_PER_MSEC
@_exported import var FoundationCompat.NSEC_PER_SEC
@_exported import var FoundationCompat.NSEC_PER_USEC
@_exported import var FoundationCompat.NSUndoCloseGroupingRunLoopOrdering
@_exported import var FoundationCompat.NSUndoManagerGroupIsDiscardableKey
@_exported import var FoundationCompat.USEC_PER_SEC
@_exported import var FoundationCompat.kCFBundleExecutableKey
@_exported import var FoundationCompat.kCFBundleIdentifierKey
@_exported import var FoundationCompat.kCFBundleNameKey
@_exported import var FoundationCompat.kCFBundleVersionKey

/// What iterates over Foundation's collections, under the name that it has on Apple's platforms.
public typealias NSFastEnumerationIterator = NSEnumerator.Iterator
