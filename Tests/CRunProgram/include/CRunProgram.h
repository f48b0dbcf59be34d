#pragma once

#include <sys/types.h>

#if __has_feature(nullability)
#pragma clang assume_nonnull begin
#endif

/// Starts a program in a process group of its own, with nothing open but its three streams.
///
/// \param program a path, or a name that is looked for where PATH says.
/// \param arguments from the program's name on, with NULL at the end.
/// \param environment with NULL at the end.
/// \param folder where it runs; NULL for where this process does.
/// \param streams the descriptors, of which none is below 3, that become its input, output and errors; negative for this process's own.
/// \returns 0, or the number of the error.
int run_program_start(
    pid_t *process, const char *program, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, const char *_Nullable folder, const int *streams);

/// Makes a pipe that no other program inherits: its end to read from and its end to write to.
///
/// \returns 0, or the number of the error.
int run_program_pipe(int *ends);

/// Makes a file in memory that has no name.
///
/// \returns its descriptor, or -1.
int run_program_file(void);

#if __has_feature(nullability)
#pragma clang assume_nonnull end
#endif
