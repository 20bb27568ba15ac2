#ifndef PLUGHOST_CSIMDJSON_H
#define PLUGHOST_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#include "JSONGrammar.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must be readable (and are ignored) after a document's last byte.
enum { plughost_simdjson_padding = 64 };

/// What simdjson's first stage found. The numbers are ours, so that no simdjson constant crosses this wall.
enum plughost_simdjson_status {
    plughost_simdjson_ok = 0,
    plughost_simdjson_memory = 1,
    plughost_simdjson_empty = 2,
    plughost_simdjson_utf8 = 3,
    plughost_simdjson_string = 4,
    plughost_simdjson_control = 5,
    plughost_simdjson_capacity = 6,
    plughost_simdjson_other = 7,
};

/// An indexer owns simdjson's parser and its index buffer. One thread at a time.
typedef struct plughost_simdjson plughost_simdjson;

/// Returns NULL when memory is exhausted. Free with `plughost_simdjson_free`.
plughost_simdjson *_Nullable plughost_simdjson_new(void);
void plughost_simdjson_free(plughost_simdjson *_Nullable indexer);

/// Finds every structural character and every scalar's first byte in `bytes[0..<length]`.
///
/// `bytes` must have `plughost_simdjson_padding` readable bytes after `length`. On success `*indexes` points to
/// `*count` ascending offsets and `length` behind them, valid until the next call with this indexer or its end.
int plughost_simdjson_index(
    plughost_simdjson *_Nonnull indexer, const uint8_t *_Nonnull bytes, size_t length,
    const uint32_t *_Nullable *_Nonnull indexes, size_t *_Nonnull count);

#ifdef __cplusplus
}
#endif
#endif
