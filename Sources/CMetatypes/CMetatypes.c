#include "CMetatypes.h"

// What a function that is declared `dynamic` in Swift is called by; part of the runtime's stable interface.
struct replaceable {
    void *implementation;
    void *original;
};

// Where the two initialisers of MetatypeConstruction.swift are called by. Where their signatures change, linking fails here, and
// `nm` on the object file shows the new names.
extern struct replaceable constructing_initializer __asm__(
    "$s10Foundation16NSObjectProtocolP0A6CompatAA0B0CRbzrlE2byxAD20MetatypeConstructionC_tcfCTX");
extern struct replaceable failable_constructing_initializer __asm__(
    "$s10Foundation16NSObjectProtocolP0A6CompatAA0B0CRbzrlE12ifPossibleByxSgAD20MetatypeConstructionC_tcfCTX");

// Makes the object; releases the construction. In MetatypeConstruction.swift.
void *construct_object_of_metatype(void *construction, const void *metatype);

// Swift's convention for initialisers that allocate: the metatype comes in as the context, the argument is owned, and so is what is
// returned.
__attribute__((swiftcall)) static void *construct(
    void *construction, __attribute__((swift_context)) const void *metatype) {
    return construct_object_of_metatype(construction, metatype);
}

void install_metatype_construction(void) {
    constructing_initializer.implementation = (void *)construct;
    failable_constructing_initializer.implementation = (void *)construct;
}
