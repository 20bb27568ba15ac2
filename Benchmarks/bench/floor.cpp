// What the benchmark's bytes cost at least: moved with bare libcurl, and parsed once with simdjson.
//
//     c++ -O2 -std=c++17 -o floor floor.cpp -lcurl -lsimdjson && ./floor SOURCE-PORT PDA-PORT RECORDS
//
// It reads the same pages as plughost, posts batches of 500 records of the same size, reads the echoes, and parses pages
// and echoes; ids have 13 digits, as simdjson reads no integers beyond 64 bits. It keeps nothing, checks nothing and maps
// nothing. Prints the CPU seconds of moving and of parsing.
#include <curl/curl.h>
#include <simdjson.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>

static double cpu() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static size_t keep(char *bytes, size_t, size_t count, void *body) {
    static_cast<std::string *>(body)->append(bytes, count);
    return count;
}

int main(int, char **arguments) {
    const std::string source = arguments[1], pda = arguments[2];
    const long total = std::atol(arguments[3]);
    CURL *curl = curl_easy_init();
    simdjson::dom::parser parser;
    std::string answer, batch;
    double moving = 0, parsing = 0;
    const auto perform = [&] {
        const double begun = cpu();
        answer.clear();
        if (curl_easy_perform(curl) != CURLE_OK) std::exit(1);
        const double moved = cpu();
        if (parser.parse(answer).error()) std::exit(2);
        moving += moved - begun;
        parsing += cpu() - moved;
    };
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 512L << 10);
    curl_slist *headers = curl_slist_append(nullptr, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    for (long from = 0; from < total; from += 500) {
        if (from % 1000 == 0) {
            const std::string url = "http://127.0.0.1:" + source + "/purchases?total=" + std::to_string(total) +
                "&first=1000000000000&from=" + std::to_string(from);
            curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
            curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
            perform();
        }
        batch = "[";
        for (long n = from; n < from + 500 && n < total; n++) {
            char record[256];
            std::snprintf(record, sizeof record,
                "%s{\"_id\":\"bench/purchases/1000000%06ld\",\"amount\":%ld.%02ld,\"at\":\"2026-11-%02ldT%02ld:%02ld:"
                "%02ld.250Z\",\"holder\":\"Ana Luísa Tavares\",\"id\":1000000%06ld,\"sequence\":%ld}",
                n > from ? "," : "", n, n % 900, n % 100, n % 28 + 1, n % 24, n % 60, n * 7 % 60, n, n);
            batch += record;
        }
        batch += "]";
        const std::string url = "http://127.0.0.1:" + pda + "/";
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, batch.data());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(batch.size()));
        perform();
    }
    std::printf("%.3f %.3f\n", moving, parsing);
    curl_easy_cleanup(curl);
}
