// What Swift's module of the C library leaves out, as it is GNU's own.
#define _GNU_SOURCE

#include "CRunProgram.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

int run_program_start(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const char *folder,
    const int *streams) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    // Threads of Dispatch block signals, which a program would inherit.
    sigset_t none;
    sigemptyset(&none);
    error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    for (int stream = 0; stream < 3 && !error; stream++) {
        if (streams[stream] >= 0) error = posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
    }
#if __GLIBC_PREREQ(2, 34)
    // What others in this process open without closing it at exec.
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
    if (!error && folder) error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error) error = posix_spawnp(process, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int run_program_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) ? errno : 0; }

int run_program_file(void) { return memfd_create("output", MFD_CLOEXEC); }
