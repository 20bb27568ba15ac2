/* A source and a PDA for very many very small requests, so that what is measured is not the servers.
 *
 *     cc -O2 -o small small.c && ./small        prints its port
 *
 * One process, one thread, epoll. GET answers a page of five records whose ids begin at ?first=N, and with &count=C of
 * C records; GET /parents?total=T&first=N a page of up to 1,000 parents, with the number of the next one. POST answers the
 * echo of a list of records that hold no arrays of objects and no spaces between tokens; GET /count says how many records
 * came and begins to count anew. A request must fit into its buffer. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 32768, CONNECTIONS = 4096 };

struct connection { int length; char bytes[ROOM]; };

static struct connection *connections[CONNECTIONS];
static long records;

static int answer(int socket, int status, const char *body, int length) {
    static char whole[8 * ROOM];
    int head = snprintf(whole, sizeof whole,
        "HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", status, length);
    memcpy(whole + head, body, length);
    for (int sent = 0; sent < head + length;) {
        ssize_t count = send(socket, whole + sent, head + length - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN) continue;
        if (count <= 0) return -1;
        sent += count;
    }
    return 0;
}

static long parameter(const char *target, const char *name, long otherwise) {
    const char *asked = strstr(target, name);
    return asked ? atol(asked + strlen(name)) : otherwise;
}

static int parents(int socket, const char *target) {
    static char body[4 * ROOM];
    long first = parameter(target, "first=", 0), total = parameter(target, "total=", 1000);
    long end = first + 1000 < total ? first + 1000 : total;
    int length = snprintf(body, sizeof body, "{\"items\":[");
    for (long n = first; n < end; n++)
        length += snprintf(body + length, sizeof body - length,
            "%s{\"id\":%ld,\"name\":\"part %ld\",\"version\":%ld}", n > first ? "," : "", n, n, n + 1);
    if (end < total) length += snprintf(body + length, sizeof body - length, "],\"next\":%ld}", end);
    else length += snprintf(body + length, sizeof body - length, "],\"next\":null}");
    return answer(socket, 200, body, length);
}

static int page(int socket, const char *target) {
    char body[4096];
    long first = parameter(target, "first=", 0), count = parameter(target, "count=", 5);
    int length = snprintf(body, sizeof body, "{\"items\":[");
    for (int n = 0; n < count && n < 5; n++)
        length += snprintf(body + length, sizeof body - length,
            "%s{\"id\":%ld,\"at\":\"2026-11-21T12:00:0%dZ\",\"kind\":\"card-purchase\",\"amount\":%d.50}",
            n ? "," : "", first + n, n, n);
    length += snprintf(body + length, sizeof body - length, "],\"next\":null}");
    return answer(socket, 200, body, length);
}

static int echo(int socket, char *list, int length) {
    static const char before[] =
        "{\"endpoint\":\"bench/purchases\",\"recordId\":\"6f2d9a0e-3c64-4a0b-9e0f-1f6a6b1c7d11\",\"data\":";
    static char body[4 * ROOM];
    int written = 0;
    char *from = list + 1, *end = list + length - 1;
    body[written++] = '[';
    while (from < end) {
        char *to = memmem(from, end - from, "},{\"", 4);
        to = to ? to + 1 : end;
        written += snprintf(body + written, sizeof body - written, "%s%s%.*s,\"links\":[]}",
            written > 1 ? "," : "", before, (int)(to - from), from);
        from = to + 1;
        records++;
    }
    body[written++] = ']';
    return answer(socket, 201, body, written);
}

/* Answers the whole requests at the front of the buffer; -1 where the connection is to end. */
static int serve(int socket, struct connection *connection) {
    for (;;) {
        connection->bytes[connection->length] = 0;
        char *head = strstr(connection->bytes, "\r\n\r\n");
        if (!head) return 0;
        int start = head + 4 - connection->bytes, body = 0;
        char *field = strcasestr(connection->bytes, "\r\nContent-Length:");
        if (field && field < head) body = atoi(field + 17);
        if (start + body >= ROOM) return -1;
        if (connection->length < start + body) return 0;
        int failed;
        if (!strncmp(connection->bytes, "POST", 4)) {
            failed = echo(socket, connection->bytes + start, body);
        } else if (!strncmp(connection->bytes, "GET /count", 10)) {
            char text[32];
            failed = answer(socket, 200, text, snprintf(text, sizeof text, "%ld", records));
            records = 0;
        } else {
            *strstr(connection->bytes, "\r\n") = 0;
            failed = strncmp(connection->bytes, "GET /parents", 12) ? page(socket, connection->bytes)
                                                                    : parents(socket, connection->bytes);
        }
        if (failed) return -1;
        connection->length -= start + body;
        memmove(connection->bytes, connection->bytes + start + body, connection->length);
    }
}

int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1024)) return perror("small"), 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(poll, events, 256, -1);
        for (int n = 0; n < count; n++) {
            int socket = events[n].data.fd;
            if (socket == listener) {
                int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                if (accepted < 0) continue;
                if (accepted >= CONNECTIONS || !(connections[accepted] = calloc(1, sizeof(struct connection)))) {
                    close(accepted);
                    continue;
                }
                setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = accepted};
                epoll_ctl(poll, EPOLL_CTL_ADD, accepted, &event);
                continue;
            }
            struct connection *connection = connections[socket];
            ssize_t got = recv(socket, connection->bytes + connection->length, ROOM - 1 - connection->length, 0);
            if (got < 0 && errno == EAGAIN) continue;
            if (got > 0) {
                connection->length += got;
                if (serve(socket, connection) == 0) continue;
            }
            close(socket);
            free(connection);
            connections[socket] = NULL;
        }
    }
}
