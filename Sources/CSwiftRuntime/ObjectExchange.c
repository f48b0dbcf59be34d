#include "ObjectExchange.h"

void swift_release(void *object);

// What a function that is declared `dynamic` in Swift is called by; part of the runtime's stable interface.
struct replaceable {
    void *implementation;
    void *original;
};

// Where the initialiser `ExchangeableObject.init(exchangedFor:)` is called by. Where its signature changes, linking fails here.
extern struct replaceable exchanging_initializer __asm__("$s8CoreData18ExchangeableObjectC12exchangedForACyXl_tcfcTX");

// Swift's convention for initialisers: the object to initialise comes in as the context, owned like the argument, and what is
// returned is the object from there on.
__attribute__((swiftcall)) static void *exchange(void *other, __attribute__((swift_context)) void *object) {
    swift_release(object);
    return other;
}

void install_object_exchange(void) { exchanging_initializer.implementation = (void *)exchange; }
