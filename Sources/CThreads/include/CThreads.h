/* What glibc declares only with _GNU_SOURCE, which Swift's import does not define. */
#ifndef PLUGHOST_CTHREADS_H
#define PLUGHOST_CTHREADS_H

/* Names the calling thread, for debuggers and `top -H`. Of a longer name, only the first 15 bytes are used. */
void plughost_name_thread(const char *name);

/* How many processors this process may use: at least 1. */
int plughost_usable_processors(void);

#endif
