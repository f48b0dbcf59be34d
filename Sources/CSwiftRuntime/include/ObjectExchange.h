#ifndef OPENCOREDATA_OBJECTEXCHANGE_H
#define OPENCOREDATA_OBJECTEXCHANGE_H

/// Makes the initialiser `ExchangeableObject.init(exchangedFor:)` release the object that it is called for, and return its argument.
void install_object_exchange(void);

#endif
