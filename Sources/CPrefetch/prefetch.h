// The processor's instruction that Swift has no word for.

/// Asks the processor to fetch the memory at `address`, which need not be readable, and does not wait for it.
static inline void plughost_prefetch(const void *_Nonnull address) { __builtin_prefetch(address); }
