#ifndef PLUGHOST_CJSONSCAN_H
#define PLUGHOST_CJSONSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where a scan stands inside of an array or an object.
struct plughost_scan {
    /// How many brackets are open; 0 once the last one is closed.
    uint64_t depth;
    /// Whether it stands in a text.
    bool in_text;
    /// Whether a backslash came last.
    bool escaped;
};

/// Goes through bytes until the last open bracket is closed.
///
/// Brackets are counted outside of texts, whatever their kind; nothing else is checked. Reads `bytes[from ..< count]` and keeps no
/// pointer.
///
/// - Parameters:
///   - scan: Where it stands, with a depth above 0; moved on.
///   - lines: How many line feeds were passed is added to it.
/// - Returns: The index behind the closing bracket, or `count`.
size_t plughost_scan_json(const uint8_t *bytes, size_t from, size_t count, struct plughost_scan *scan, size_t *lines);

#endif
