// What a benchmark's work costs at least, done once and kept by nobody: the floor that plughost is measured against.
//
//     c++ -O2 -std=c++17 -o floor floor.cpp -lcurl -lsimdjson -lsqlite3
//     ./floor bulk SOURCE-PORT PDA-PORT TOKEN RECORDS    moves the bytes with bare libcurl, and parses them once with simdjson
//     ./floor small SOURCE-PORT PDA-PORT TOKEN COUNT DATABASE    the same for COUNT connections, with one SQLite commit each
//
// It sends the same requests as plughost, with the same headers and bodies, reads the echoes, and parses pages and echoes; in
// `bulk`, pages of 1,000 are posted in batches of 500, with ids of 13 digits, as simdjson reads no integers beyond 64 bits. It
// keeps nothing, checks nothing and maps nothing: `small` commits one row for each connection. A network connection is never used for
// two people, as by plughost: `small` has a new one for each. It is a single process: its CPU time is the floor.
#include <curl/curl.h>
#include <simdjson.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

size_t keep(char *bytes, size_t, size_t count, void *body) {
    static_cast<std::string *>(body)->append(bytes, count);
    return count;
}

// One connection of its own to each host and port, as libcurl keeps them.
class Client {
public:
    Client(const std::string &token) : curl(curl_easy_init()) {
        reading = curl_slist_append(nullptr, "Accept: application/json");
        writing = curl_slist_append(nullptr, ("X-Auth-Token: " + token).c_str());
        for (const char *header : {"Content-Type: application/json", "Accept: application/json", "Expect:"})
            writing = curl_slist_append(writing, header);
        curl_easy_setopt(curl, CURLOPT_USERAGENT, "plughost/0.1.0");
        curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
        curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 512L << 10);
    }
    ~Client() {
        curl_slist_free_all(reading);
        curl_slist_free_all(writing);
        curl_easy_cleanup(curl);
    }

    void keepNoConnection() {
        curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    }

    void get(const std::string &url) {
        curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, reading);
        perform(url);
    }

    void post(const std::string &pda, const std::string &body) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, writing);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        perform(pda + "/api/v2.6/data/bench/purchases");
    }

    std::string answer;

private:
    void perform(const std::string &url) {
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        answer.clear();
        if (curl_easy_perform(curl) != CURLE_OK) std::exit(1);
        if (parser.parse(answer).error()) std::exit(2);
    }

    CURL *curl;
    curl_slist *reading, *writing;
    simdjson::dom::parser parser;
};

void bulk(Client &client, const std::string &source, const std::string &pda, long total) {
    std::string batch;
    for (long from = 0; from < total; from += 500) {
        if (from % 1000 == 0) {
            client.get(
                source + "/purchases?total=" + std::to_string(total) + "&first=1000000000000&from=" +
                std::to_string(from));
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
        client.post(pda, batch);
    }
}

void small(Client &client, const std::string &source, const std::string &pda, long count, const char *path) {
    sqlite3 *database = nullptr;
    sqlite3_stmt *insert = nullptr;
    if (sqlite3_open(path, &database) != SQLITE_OK) std::exit(3);
    sqlite3_exec(database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE state (id INTEGER PRIMARY KEY, at TEXT);",
        nullptr, nullptr, nullptr);
    if (sqlite3_prepare_v2(database, "INSERT INTO state VALUES (?, 'x')", -1, &insert, nullptr) != SQLITE_OK)
        std::exit(4);
    std::string batch;
    client.keepNoConnection();
    for (long at = 0; at < count; at++) {
        const long first = at * 10 + 1;
        client.get(source + "/purchases?total=5&first=" + std::to_string(first));
        batch = "[";
        for (long n = 0; n < 5; n++) {
            char record[256];
            std::snprintf(record, sizeof record,
                "%s{\"_id\":\"bench/purchases/%ld\",\"amount\":%ld.50,\"at\":\"2026-11-21T12:00:0%ldZ\",\"id\":%ld,"
                "\"kind\":\"card-purchase\"}",
                n > 0 ? "," : "", first + n, n, n, first + n);
            batch += record;
        }
        batch += "]";
        client.post(pda, batch);
        sqlite3_bind_int64(insert, 1, at);
        if (sqlite3_step(insert) != SQLITE_DONE) std::exit(5);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    sqlite3_close(database);
}

}  // namespace

int main(int count, char **arguments) {
    if (count < 6) return 64;
    const std::string host = "http://127.0.0.1:";
    const std::string source = host + arguments[2], pda = host + arguments[3];
    const long number = std::atol(arguments[5]);
    Client client(arguments[4]);
    if (std::strcmp(arguments[1], "bulk") == 0) {
        bulk(client, source, pda, number);
    } else if (count > 6) {
        small(client, source, pda, number, arguments[6]);
    } else {
        return 64;
    }
}
