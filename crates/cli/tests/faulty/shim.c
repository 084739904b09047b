/* Makes the system calls that keep a database fail when a test says so.
 *
 * The file named by LINSTOCK_FAULTS holds one line: GENERATION KIND ERRNO COUNT. When the generation
 * changes, the next COUNT calls of the kind on a file of the database fail with ERRNO (COUNT -1: all
 * of them). Kinds: write, fsync, truncate, read, open, torn (half is written, then it fails), late (all
 * is written, and yet it fails), dead (what is written is taken, but no flush and no cut succeeds) and
 * slow (a flush takes ERRNO seconds).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static long generation = 0;
static long left = 0;
static int number = 0;
static char kind[16] = "";

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags) {
    static int (*open_as_it_is)(const char *, int, ...);
    if (!open_as_it_is) open_as_it_is = dlsym(RTLD_NEXT, "open");
    return open_as_it_is(path, flags);
}

/* Whether this call is to fail; the number of the error then. */
static int fails(const char *what) {
    static ssize_t (*read_as_it_is)(int, void *, size_t);
    const char *path = getenv("LINSTOCK_FAULTS");
    int error = 0;
    if (!path) return 0;
    if (!read_as_it_is) read_as_it_is = dlsym(RTLD_NEXT, "read");
    pthread_mutex_lock(&gate);
    int file = real_open(path, O_RDONLY);
    if (file >= 0) {
        char text[128] = "";
        ssize_t n = read_as_it_is(file, text, sizeof text - 1);
        close(file);
        long g = 0, c = 0;
        int e = 0;
        char k[16] = "";
        if (n > 0 && sscanf(text, "%ld %15s %d %ld", &g, k, &e, &c) == 4 && g != generation) {
            generation = g;
            left = c;
            number = e;
            strcpy(kind, k);
        }
    }
    if (left != 0 && strcmp(kind, what) == 0) {
        if (left > 0) left--;
        error = number;
    }
    pthread_mutex_unlock(&gate);
    return error;
}

static int of_database(int file) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t n = readlink(name, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return strstr(path, "linstock.db") != NULL && strstr(path, "-shm") == NULL;
}

#define FAIL(what, file) do { \
    if (of_database(file)) { int e = fails(what); if (e) { errno = e; return -1; } } \
} while (0)

ssize_t write(int file, const void *bytes, size_t n) {
    REAL(write);
    FAIL("write", file);
    return real(file, bytes, n);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at) {
    REAL(pwrite64);
    FAIL("write", file);
    if (of_database(file) && n > 1) {
        int e = fails("torn");
        if (e) { real(file, bytes, n / 2, at); errno = e; return -1; }
        e = fails("late");
        if (e) { real(file, bytes, n, at); errno = e; return -1; }
    }
    return real(file, bytes, n, at);
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at) {
    return pwrite64(file, bytes, n, at);
}

ssize_t pread64(int file, void *bytes, size_t n, off64_t at) {
    REAL(pread64);
    FAIL("read", file);
    return real(file, bytes, n, at);
}

ssize_t pread(int file, void *bytes, size_t n, off_t at) {
    return pread64(file, bytes, n, at);
}

static void dawdle(int file) {
    if (of_database(file)) { int seconds = fails("slow"); if (seconds) sleep(seconds); }
}

int fsync(int file) {
    REAL(fsync);
    FAIL("fsync", file);
    FAIL("dead", file);
    dawdle(file);
    return real(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    FAIL("fsync", file);
    FAIL("dead", file);
    dawdle(file);
    return real(file);
}

int ftruncate64(int file, off64_t n) {
    REAL(ftruncate64);
    FAIL("truncate", file);
    FAIL("dead", file);
    return real(file, n);
}

int ftruncate(int file, off_t n) {
    return ftruncate64(file, n);
}

int open64(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "open64");
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (strstr(path, "linstock.db")) {
        int e = fails("open");
        if (e) { errno = e; return -1; }
    }
    return real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return open64(path, flags, mode);
}
