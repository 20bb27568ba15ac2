// JSON's grammar over simdjson's index. Each record of a source and each answer of a PDA passes through here. The place in the
// code shows whether an array or an object is innermost, so this is tested once per bracket, not once per value.

#include "JSONGrammar.h"

#include <string.h>

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// An offset moved back over the white space before it. A function of its own: in most documents there is none.
static uint32_t __attribute__((noinline)) trimmed(const uint8_t *bytes, uint32_t offset) {
    while (offset > 0 && is_space(bytes[offset - 1])) offset--;
    return offset;
}

/// The end of the string at `start`, after its quote; 0 if it does not end.
///
/// The closing quote is the last byte before the next structural: simdjson has checked that strings end, and that nothing but
/// white space follows a scalar.
static inline uint32_t string_end(const uint8_t *bytes, uint32_t start, uint32_t next) {
    uint32_t end = next;
    if (bytes[end - 1] != '"') {
        end = trimmed(bytes, end);
        if (bytes[end - 1] != '"') return 0;
    }
    return end - start >= 2 ? end : 0;
}

/// The end of the string, number or literal at `start`; 0, and a fault, if that is not all that precedes the next structural.
static inline __attribute__((always_inline)) uint32_t scalar_end(
    const uint8_t *bytes, uint32_t start, uint32_t next, enum plughost_json_fault *fault) {
    const uint8_t *first = bytes + start;
    uint32_t end = 0;
    if (*first == '"') {
        end = string_end(bytes, start, next);
        if (end == 0) *fault = plughost_json_open_string;
        return end;
    }
    if (plughost_json_is_digit(*first) || *first == '-') {
        const uint8_t *after = plughost_json_number_end(first);
        *fault = plughost_json_number;
        if (after == NULL) return 0;
        end = (uint32_t)(after - bytes);
    } else {
        *fault = plughost_json_value;
        if (memcmp(first, "true", 4) == 0 || memcmp(first, "null", 4) == 0) end = start + 4;
        else if (memcmp(first, "false", 5) == 0) end = start + 5;
        else return 0;
    }
    return end == next || end == trimmed(bytes, next) ? end : 0;
}

// The two brackets that open differ in one bit.
static inline bool is_bracket(uint8_t byte) { return (byte | 0x20) == '{'; }

enum plughost_json_fault plughost_json_check(
    const uint8_t *bytes, const uint32_t *starts, size_t count, struct plughost_json_node *nodes, size_t depth_limit,
    struct plughost_json_place *place) {
    const uint32_t *at = starts;
    struct plughost_json_node *node = nodes;
    // The innermost open array or object. While it is open, its reach is the one around it.
    struct plughost_json_node *opener = nodes;
    size_t depth = 0;
    enum plughost_json_fault fault = plughost_json_valid;
    uint32_t end;

    if (is_bracket(bytes[*at])) goto open;
    end = scalar_end(bytes, at[0], at[1], &fault);
    if (end == 0) goto failed;
    *node = (struct plughost_json_node){at[0], end};
    at++;
    goto done;

open:
    if (depth == depth_limit) {
        fault = plughost_json_depth;
        goto failed;
    }
    *node = (struct plughost_json_node){*at, (uint32_t)(opener - nodes)};
    opener = node++;
    depth++;
    if (bytes[*at++] == '[') {
        if (bytes[*at] != ']') goto element;
        goto close;
    }
    if (bytes[*at] == '}') goto close;

member:
    if (bytes[*at] != '"') {
        fault = plughost_json_key;
        goto failed;
    }
    end = string_end(bytes, at[0], at[1]);
    if (end == 0) {
        fault = plughost_json_open_string;
        goto failed;
    }
    *node++ = (struct plughost_json_node){at[0], end};
    if (bytes[*++at] != ':') {
        fault = plughost_json_colon;
        goto failed;
    }
    if (is_bracket(bytes[*++at])) goto open;
    end = scalar_end(bytes, at[0], at[1], &fault);
    if (end == 0) goto failed;
    *node++ = (struct plughost_json_node){*at++, end};

after_member:
    if (bytes[*at] == ',') {
        at++;
        goto member;
    }
    if (bytes[*at] == '}') goto close;
    fault = plughost_json_comma;
    goto failed;

element:
    if (is_bracket(bytes[*at])) goto open;
    end = scalar_end(bytes, at[0], at[1], &fault);
    if (end == 0) goto failed;
    *node++ = (struct plughost_json_node){*at++, end};

after_element:
    if (bytes[*at] == ',') {
        at++;
        goto element;
    }
    if (bytes[*at] == ']') goto close;
    fault = plughost_json_comma;
    goto failed;

close:
    end = opener->reach;
    opener->reach = (uint32_t)(node - nodes);
    *node++ = (struct plughost_json_node){*at++, 0};
    opener = nodes + end;
    if (--depth > 0) {
        if (bytes[opener->start] == '{') goto after_member;
        goto after_element;
    }

done:
    if ((size_t)(at - starts) == count) return plughost_json_valid;
    fault = plughost_json_trailing;

failed:
    *place = (struct plughost_json_place){
        .structural = (size_t)(at - starts),
        .depth = depth,
        // Each bracket is two code points before its counterpart.
        .closing = depth > 0 ? bytes[opener->start] + 2 : 0,
    };
    return fault;
}
