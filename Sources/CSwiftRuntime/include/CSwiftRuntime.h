#ifndef OPENCOREDATA_CSWIFTRUNTIME_H
#define OPENCOREDATA_CSWIFTRUNTIME_H

#include "CallStack.h"
#include "FileExchange.h"
#include "ObjectExchange.h"
#include "ObservationSlot.h"
#include "SQLiteHardening.h"

// Part of the Swift runtime's stable interface: retains an object unless its deinitialisation has begun.
void *swift_tryRetain(void *object);

// The same interface: keep and let go the memory of an object, which may be deinitialised meanwhile.
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);

/// Keeps the memory of `object`, so that `retain_unless_deinitializing` may be asked of it even when the object has gone.
static inline void keep_memory(void *object) { swift_unownedRetain(object); }

/// Ends what `keep_memory` began.
static inline void let_memory_go(void *object) { swift_unownedRelease(object); }

/// Retains `object` and returns it, or returns null when it is already being deinitialised.
///
/// A registry that holds objects without owning them needs this: it is what loading a weak reference does, without
/// the side table that a weak reference costs each object.
static inline void *retain_unless_deinitializing(void *object) {
    return swift_tryRetain(object);
}

/// Returns the code that instances of a class run for `NSManagedObject.validateValue(_:forKey:)`: two classes that share it
/// share the rules. `class_metadata` is a metatype of NSManagedObject or of a subclass.
const void *validate_value_implementation(const void *class_metadata);

/// The same for the form of the method that takes an `AutoreleasingUnsafeMutablePointer`.
const void *validate_pointer_implementation(const void *class_metadata);

/// The same for `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
const void *will_change_implementation(const void *class_metadata);
const void *did_change_implementation(const void *class_metadata);

/// What the current thread notes of the context's block that it is in; null in none. Only the pointer is kept.
void *thread_queue_frame(void);
void set_thread_queue_frame(void *frame);

/// What the current thread is making a managed object of; null for nothing. Only the pointer is kept. It is read for every
/// object, hence without a call.
extern _Thread_local void *current_object_seed __attribute__((tls_model("initial-exec")));
static inline void *thread_object_seed(void) { return current_object_seed; }
static inline void set_thread_object_seed(void *seed) { current_object_seed = seed; }

#endif
