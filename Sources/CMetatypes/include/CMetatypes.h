#ifndef OPENCOREDATA_CMETATYPES_H
#define OPENCOREDATA_CMETATYPES_H

/// Gives the initialisers of MetatypeConstruction.swift their bodies, which find out which class they are called on.
void install_metatype_construction(void);

#endif
