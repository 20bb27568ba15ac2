#ifndef PLUGHOST_CLIBCURL_SHIM_H
#define PLUGHOST_CLIBCURL_SHIM_H

#include <curl/curl.h>

// Variadic functions are not imported into Swift, and a setopt with a value of the wrong type corrupts memory silently.
// So there is one wrapper for each type of value, and one for each callback, where the C compiler checks its signature.

#pragma clang assume_nonnull begin

// MARK: - The library

/// All of it; the macro of flags is not imported. Safe to call from any thread in builds that say `threadsafe`;
/// we call it once, from a lazily initialised constant.
static inline CURLcode plughost_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// MARK: - Values

static inline CURLcode plughost_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode plughost_curl_set_off(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the string (but for CURLOPT_POSTFIELDS, which must be given memory that outlives the transfer).
static inline CURLcode plughost_curl_set_string(CURL *easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

/// The list is not copied: it must live until the transfer is over.
static inline CURLcode plughost_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *_Nullable list) {
    return curl_easy_setopt(easy, option, list);
}

/// libcurl copies the URL when a transfer starts: it must live as long as transfers are started. CURLOPT_URL must be set as well, or
/// libcurl writes the URL out for each transfer.
static inline CURLcode plughost_curl_set_url(CURL *easy, CURLU *url) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, url);
}

static inline CURLcode plughost_curl_set_share(CURL *easy, CURLSH *_Nullable share) {
    return curl_easy_setopt(easy, CURLOPT_SHARE, share);
}

/// CURL_ERROR_SIZE bytes that live as long as the handle.
static inline CURLcode plughost_curl_set_error_buffer(CURL *easy, char *_Nullable buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode plughost_curl_set_private(CURL *easy, void *_Nullable context) {
    return curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
}

// MARK: - Callbacks, each with the context it is called with

typedef size_t (*plughost_curl_data_callback)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*plughost_curl_seek_callback)(void *_Nullable context, curl_off_t offset, int origin);
typedef curl_socket_t (*plughost_curl_open_socket_callback)(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable address);
typedef int (*plughost_curl_before_request_callback)(
    void *_Nullable context, char *_Nullable primary_address, char *_Nullable local_address, int primary_port,
    int local_port);

static inline CURLcode plughost_curl_on_write(CURL *easy, plughost_curl_data_callback call, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode plughost_curl_on_header(CURL *easy, plughost_curl_data_callback call, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode plughost_curl_on_read(
    CURL *easy, plughost_curl_data_callback read, plughost_curl_seek_callback seek, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_READDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

static inline CURLcode plughost_curl_on_open_socket(
    CURL *easy, plughost_curl_open_socket_callback call, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode plughost_curl_before_request(
    CURL *easy, plughost_curl_before_request_callback call, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

typedef int (*plughost_curl_progress_callback)(
    void *_Nullable context, curl_off_t download_total, curl_off_t downloaded, curl_off_t upload_total, curl_off_t uploaded);

/// Called about once a second; another answer than 0 ends the transfer.
static inline CURLcode plughost_curl_on_progress(
    CURL *easy, plughost_curl_progress_callback call, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, call);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    return code ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

// MARK: - Reading

static inline CURLcode plughost_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode plughost_curl_get_off(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline void *_Nullable plughost_curl_get_private(CURL *easy) {
    char *context = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : NULL;
}

/// The address that a socket is about to be opened for, as the bytes of its sockaddr.
///
/// A field of `struct curl_sockaddr` cannot be pointed at from Swift without a copy of the (variable) structure.
static inline const void *plughost_curl_socket_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

// MARK: - The multi handle and the shares

static inline CURLMcode plughost_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode plughost_curl_share(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/// The handle and the result of a finished transfer, out of a message whose fields are an anonymous union;
/// NULL for a message of another kind.
static inline CURL *_Nullable plughost_curl_finished(const CURLMsg *message, CURLcode *result) {
    if (message->msg != CURLMSG_DONE) return NULL;
    *result = message->data.result;
    return message->easy_handle;
}

#pragma clang assume_nonnull end

#endif
