#include "SQLiteHardening.h"

#include <sqlite3.h>

// SQLiteConnection+Hardening.swift says when each is called.

int distrust_schema(struct sqlite3 *connection) {
    set_attaching_allowed(connection, false);
    int status = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
    if (status != SQLITE_OK) return status;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

void trust_schema(struct sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, (int *)0);
}

int set_schema_writable(struct sqlite3 *connection, bool writable) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, writable ? 0 : 1, (int *)0);
}

int disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

void set_attaching_allowed(struct sqlite3 *connection, bool allowed) {
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, allowed ? 10 : 0);
}

const char *main_database_path(struct sqlite3 *connection) {
    return sqlite3_db_filename(connection, "main");
}
