#include "CSwiftRuntime.h"

// What the runtime's own dispatch of resilient methods uses; part of its stable interface.
const void *swift_lookUpClassMethod(const void *metadata, const void *method, const void *description);

// The symbols that the compiler gives the method and its class. Where the method's signature changes, linking fails here,
// and `nm` on the object file shows the new name.
extern const char method_descriptor __asm__("$s8CoreData15NSManagedObjectC13validateValue_6forKeyyypSgz_SStKFTq");
extern const char pointer_method_descriptor __asm__(
    "$s8CoreData15NSManagedObjectC13validateValue_6forKeyy16FoundationCompat33AutoreleasingUnsafeMutablePointerVyyXlSgG_SStKFTq");
extern const char class_descriptor __asm__("$s8CoreData15NSManagedObjectCMn");

const void *validate_value_implementation(const void *class_metadata) {
    return swift_lookUpClassMethod(class_metadata, &method_descriptor, &class_descriptor);
}

const void *validate_pointer_implementation(const void *class_metadata) {
    return swift_lookUpClassMethod(class_metadata, &pointer_method_descriptor, &class_descriptor);
}

extern const char will_change_descriptor __asm__("$s8CoreData15NSManagedObjectC15willChangeValue6forKeyySS_tFTq");
extern const char did_change_descriptor __asm__("$s8CoreData15NSManagedObjectC14didChangeValue6forKeyySS_tFTq");

const void *will_change_implementation(const void *class_metadata) {
    return swift_lookUpClassMethod(class_metadata, &will_change_descriptor, &class_descriptor);
}

const void *did_change_implementation(const void *class_metadata) {
    return swift_lookUpClassMethod(class_metadata, &did_change_descriptor, &class_descriptor);
}

// Swift has no thread-local variables of its own.
static _Thread_local void *queue_frame;

void *thread_queue_frame(void) { return queue_frame; }

_Thread_local void *current_object_seed;

void set_thread_queue_frame(void *frame) { queue_frame = frame; }
