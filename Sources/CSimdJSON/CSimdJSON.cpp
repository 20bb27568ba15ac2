#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

struct plughost_simdjson {
    simdjson::dom::parser parser;
};

plughost_simdjson *plughost_simdjson_new(void) { return new (std::nothrow) plughost_simdjson(); }

void plughost_simdjson_free(plughost_simdjson *indexer) { delete indexer; }

// Stage 1 is what simdjson's own DOM parser runs first; the second stage is left out because it converts numbers.
int plughost_simdjson_index(
    plughost_simdjson *indexer, const uint8_t *bytes, size_t length, const uint32_t **indexes, size_t *count) {
    *indexes = nullptr;
    *count = 0;
    if (length == 0) { return plughost_simdjson_empty; }
    if (length > 0xFFFFFFFFULL - simdjson::SIMDJSON_PADDING) { return plughost_simdjson_capacity; }
    // Grows the index buffer when needed; it is kept between documents.
    if (indexer->parser.capacity() < length) {
        simdjson::error_code grown = indexer->parser.allocate(length, simdjson::DEFAULT_MAX_DEPTH);
        if (grown) { return grown == simdjson::MEMALLOC ? plughost_simdjson_memory : plughost_simdjson_capacity; }
    }
    auto &stage = *indexer->parser.implementation;
    switch (stage.stage1(bytes, length, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: break;
    case simdjson::MEMALLOC: return plughost_simdjson_memory;
    case simdjson::EMPTY: return plughost_simdjson_empty;
    case simdjson::UTF8_ERROR: return plughost_simdjson_utf8;
    case simdjson::UNCLOSED_STRING: return plughost_simdjson_string;
    case simdjson::UNESCAPED_CHARS: return plughost_simdjson_control;
    case simdjson::CAPACITY: return plughost_simdjson_capacity;
    default: return plughost_simdjson_other;
    }
    // There is room: simdjson itself writes three numbers behind the last one.
    stage.structural_indexes[stage.n_structural_indexes] = uint32_t(length);
    *indexes = stage.structural_indexes.get();
    *count = stage.n_structural_indexes;
    return plughost_simdjson_ok;
}
