#define _GNU_SOURCE
#include "Internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int write_file(const char *path, const char *text, size_t length) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, length);
    int error = errno;
    close(file);
    errno = error;
    return written == (ssize_t)length ? 0 : -1;
}

/// "ID ID 1": one identity, mapped to itself.
static int write_map(const char *path, unsigned identity) {
    char digits[12], text[32];
    size_t count = 0, length = 0;
    do digits[count++] = (char)('0' + identity % 10); while ((identity /= 10) > 0);
    for (int round = 0; round < 2; round++) {
        for (size_t at = count; at > 0; at--) text[length++] = digits[at - 1];
        text[length++] = ' ';
    }
    text[length++] = '1';
    return write_file(path, text, length);
}

static int send_descriptor(int socket, int descriptor) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int plughost_enter_network(int socket_to_parent, uint16_t port) {
    unsigned user = geteuid(), group = getegid();
    // The maps below belong to whoever may look into this process.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return PLUGHOST_PROGRAM_NAMESPACES;
    // Without it the map of groups could not be written without a privilege (user_namespaces(7)).
    if (write_file("/proc/self/setgroups", "deny", 4) != 0) return PLUGHOST_PROGRAM_NAMESPACES;
    if (write_map("/proc/self/uid_map", user) != 0 || write_map("/proc/self/gid_map", group) != 0) {
        return PLUGHOST_PROGRAM_NAMESPACES;
    }
    int plain = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (plain < 0) return PLUGHOST_PROGRAM_NETWORK;
    struct ifreq loopback;
    memset(&loopback, 0, sizeof loopback);
    strcpy(loopback.ifr_name, "lo");
    loopback.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(plain, SIOCSIFFLAGS, &loopback) != 0) return PLUGHOST_PROGRAM_NETWORK;
    close(plain);
    // Their buffers grow to several MiB each otherwise, and the limit of memory does not see them. Where it cannot be written, as in a
    // service whose /proc is read-only, their number remains limited.
    const char buffers[] = "4096 65536 262144";
    write_file("/proc/sys/net/ipv4/tcp_rmem", buffers, sizeof buffers - 1);
    write_file("/proc/sys/net/ipv4/tcp_wmem", buffers, sizeof buffers - 1);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return PLUGHOST_PROGRAM_NETWORK;
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0
        || send_descriptor(socket_to_parent, listener) != 0) {
        return PLUGHOST_PROGRAM_NETWORK;
    }
    close(listener);
    return 0;
}

int plughost_receive_descriptor(int socket) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (count < 0 && errno == EINTR);
    if (count <= 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}
