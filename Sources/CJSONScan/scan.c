// Sixty-four bytes at a time, as bits: what is a quote, a bracket, a line feed. The compiler makes what the processor has of the
// comparisons.

#include "CJSONScan.h"

#include <string.h>

typedef uint8_t block __attribute__((ext_vector_type(64)));
typedef bool marks __attribute__((ext_vector_type(64)));

/// Which bytes of a block are `byte`. No function: vectors of this size have no settled way into one.
#define MARKS(bytes, byte)                                                                     \
    ({                                                                                         \
        marks found = __builtin_convertvector((bytes) == (block)(uint8_t)(byte), marks);       \
        uint64_t bits;                                                                         \
        memcpy(&bits, &found, sizeof bits);                                                    \
        bits;                                                                                  \
    })

/// The bytes behind a backslash that is none itself. `carry`: whether the block before ended with one, and whether this one does.
static inline uint64_t escaped_by(uint64_t backslashes, bool *carry) {
    uint64_t escaped = *carry;
    *carry = false;
    backslashes &= ~escaped;
    while (backslashes != 0) {
        int at = __builtin_ctzll(backslashes);
        if (at == 63) {
            *carry = true;
            break;
        }
        escaped |= UINT64_C(2) << at;
        backslashes &= ~(UINT64_C(3) << at);
    }
    return escaped;
}

/// Each bit set where an odd number of bits up to it is.
static inline uint64_t between(uint64_t quotes) {
    for (int step = 1; step < 64; step *= 2) quotes ^= quotes << step;
    return quotes;
}

size_t plughost_scan_json(const uint8_t *bytes, size_t from, size_t count, struct plughost_scan *scan, size_t *lines) {
    for (size_t at = from; at < count; at += sizeof(block)) {
        block piece;
        size_t left = count - at;
        if (left >= sizeof piece) {
            memcpy(&piece, bytes + at, sizeof piece);
        } else {
            // Blanks change nothing, but they would end an escape.
            uint8_t rest[sizeof piece];
            memset(rest, ' ', sizeof rest);
            memcpy(rest, bytes + at, left);
            memcpy(&piece, rest, sizeof piece);
        }
        uint64_t feeds = MARKS(piece, '\n');
        uint64_t escaped = escaped_by(MARKS(piece, '\\'), &scan->escaped);
        if (left < sizeof piece) scan->escaped = escaped >> left & 1;
        uint64_t in_text = between(MARKS(piece, '"') & ~escaped) ^ (scan->in_text ? ~UINT64_C(0) : 0);
        scan->in_text = in_text >> 63;
        // The brackets of both kinds differ in one bit.
        uint64_t opening = MARKS(piece | (block)0x20, '{') & ~in_text;
        uint64_t closing = MARKS(piece | (block)0x20, '}') & ~in_text;
        uint64_t closings = (uint64_t)__builtin_popcountll(closing);
        if (scan->depth > closings) {
            scan->depth += (uint64_t)__builtin_popcountll(opening) - closings;
        } else {
            for (uint64_t brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
                uint64_t bracket = brackets & -brackets;
                scan->depth += (opening & bracket) != 0 ? 1 : -1;
                if (scan->depth == 0) {
                    *lines += (size_t)__builtin_popcountll(feeds & (bracket - 1));
                    return at + (size_t)__builtin_ctzll(bracket) + 1;
                }
            }
        }
        *lines += (size_t)__builtin_popcountll(feeds);
    }
    return count;
}
