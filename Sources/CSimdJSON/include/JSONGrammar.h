#ifndef PLUGHOST_JSONGRAMMAR_H
#define PLUGHOST_JSONGRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An entry of a document's tape: a value, a key or a closing bracket.
struct plughost_json_node {
    /// The offset of its first byte.
    uint32_t start;
    /// For an array or object, the node of its closing bracket; for any other value and for a key, the offset after its last byte.
    uint32_t reach;
};

enum plughost_json_fault {
    plughost_json_valid,
    /// No value where one must be.
    plughost_json_value,
    /// What looks like a number is none.
    plughost_json_number,
    /// A string without its closing quote.
    plughost_json_open_string,
    /// No key where one must be.
    plughost_json_key,
    /// No colon after a key.
    plughost_json_colon,
    /// Neither a comma nor the closing bracket after a value.
    plughost_json_comma,
    /// More arrays and objects inside each other than allowed.
    plughost_json_depth,
    /// Text after the document.
    plughost_json_trailing,
};

/// Where a check stopped.
struct plughost_json_place {
    /// The structural at fault, counted from 0.
    size_t structural;
    /// How many arrays and objects are open there.
    size_t depth;
    /// The bracket that closes the innermost one; 0 if none is open.
    uint8_t closing;
};

/// Checks JSON's grammar over simdjson's index, and writes the document's tape. Escapes in strings are not checked.
///
/// Every structural is visited once and every byte outside strings is accounted for. Nothing tests for the end: the document is
/// followed by a zero, which begins nothing, and the index by the document's length, which leads there. Keeps no pointer.
///
/// - Parameters:
///   - bytes: The document, followed by a zero, then four readable bytes.
///   - starts: The offsets of its `count` structurals, followed by its length and one more readable number.
///   - nodes: Room for as many nodes as there are structurals, and for at least one.
///   - place: Is set unless the document is valid.
enum plughost_json_fault plughost_json_check(
    const uint8_t *_Nonnull bytes, const uint32_t *_Nonnull starts, size_t count,
    struct plughost_json_node *_Nonnull nodes, size_t depth_limit, struct plughost_json_place *_Nonnull place);

static inline bool plughost_json_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

/// The end of the number at `start`, NULL if there is none. A byte that no number contains, such as a zero, follows the bytes.
static inline const uint8_t *_Nullable plughost_json_number_end(const uint8_t *_Nonnull start) {
    const uint8_t *at = start + (*start == '-');
    if (!plughost_json_is_digit(*at)) return NULL;
    if (*at++ != '0') {
        while (plughost_json_is_digit(*at)) at++;
    }
    if (*at == '.') {
        if (!plughost_json_is_digit(*++at)) return NULL;
        while (plughost_json_is_digit(*at)) at++;
    }
    if ((*at | 0x20) == 'e') {
        at++;
        if (*at == '+' || *at == '-') at++;
        if (!plughost_json_is_digit(*at)) return NULL;
        while (plughost_json_is_digit(*at)) at++;
    }
    return at;
}

#ifdef __cplusplus
}
#endif
#endif
