#ifndef PLUGHOST_CCLOCK_H
#define PLUGHOST_CCLOCK_H

/// Whether something keeps the machine's clock right, such as systemd-timesyncd: 1, 0, or -1 where the kernel does not say.
int plughost_clock_is_kept(void);

#endif
