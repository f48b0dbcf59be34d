#ifndef OPENCOREDATA_SQLITEHARDENING_H
#define OPENCOREDATA_SQLITEHARDENING_H

#include <stdbool.h>

// SQLite's switches take variable arguments, which Swift can't pass.

struct sqlite3;

/// Lets triggers, views and the like of a database file call nothing but harmless functions and modules, and lets no statement
/// attach another database or load an extension. Returns SQLite's result code.
int distrust_schema(struct sqlite3 *connection);

/// Takes back what `distrust_schema` says of the file's triggers and the like.
void trust_schema(struct sqlite3 *connection);

/// Sets whether statements may change the schema's text and the inner tables of modules. Returns SQLite's result code.
int set_schema_writable(struct sqlite3 *connection, bool writable);

/// Keeps the file's triggers from running on the connection. Returns SQLite's result code.
int disable_triggers(struct sqlite3 *connection);

/// Sets whether statements may attach databases.
void set_attaching_allowed(struct sqlite3 *connection, bool allowed);

/// The path of the connection's main database, links resolved; empty or null where it is none of a file.
const char *main_database_path(struct sqlite3 *connection);

#endif
