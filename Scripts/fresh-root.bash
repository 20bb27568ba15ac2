# What the checks on a clean Debian share: 'source' it. It makes a root folder of this machine's own release.
#
# It uses these parts of this machine, read-only: apt's sources and network settings, and name resolution. With FRESH_BASE,
# a file, the clean Debian is kept there for the next check.

me=$(basename "$0")
say() { printf '%s: %s\n' "$me" "$*" >&2; }
fail() { say "error: $*"; exit 1; }
skip() { say "skipped: $*"; exit 77; }

# Mounts and processes end with its first process.
namespace=(unshare --mount --pid --fork --kill-child --propagation private)

# "URI RELEASE COMPONENT" of each of apt's sources that belong to this machine's own release.
release_sources() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v release="$1" '$2 == release || index($2, release "-") == 1' | sort -u
}

# apt's settings that say how the network is reached, as a configuration file.
network_settings() {
    apt-config dump | grep -E '^Acquire::((http|https|ftp)[: ]|Check-|Retries|ForceIPv)' | grep -v ' "";$' || true
}

# Skips where a clean Debian cannot be made, or a needed command is missing.
need() {
    local command
    ((EUID == 0)) || skip "it needs root, to mount and to change the root folder"
    for command in debootstrap unshare chroot apt-get "$@"; do
        command -v "$command" >/dev/null || skip "there is no '$command' here"
    done
    "${namespace[@]}" chroot / true 2>/dev/null || skip "mounting or changing the root folder is not allowed here"
}

# make_root ROOT LOG: a clean Debian in the folder ROOT.
make_root() {
    local root=$1 log=$2 release sources mirror began=$SECONDS file
    # shellcheck disable=SC1091
    release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    sources=$(release_sources "$release")
    if [[ -z $sources ]]; then
        apt-get update -qq
        sources=$(release_sources "$release")
    fi
    mirror=$(awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }' <<<"$sources")
    [[ -n $mirror ]] || fail "apt has no source for '$release main' on this machine"
    if [[ -n ${FRESH_BASE:-} && -s $FRESH_BASE ]]; then
        say "making a clean $release in $root from $FRESH_BASE"
        mkdir -p "$root"
        tar --extract --numeric-owner --directory "$root" --file "$FRESH_BASE"
    else
        say "making a clean $release in $root from $mirror"
        if ! debootstrap --variant=minbase "$release" "$root" "$mirror" >"$log" 2>&1; then
            tail -n 20 "$log" >&2
            fail "debootstrap failed"
        fi
        if [[ -n ${FRESH_BASE:-} ]]; then
            tar --create --numeric-owner --directory "$root" --file "$FRESH_BASE.new" .
            mv "$FRESH_BASE.new" "$FRESH_BASE"
        fi
    fi
    awk '{ print "deb " $1 " " $2 " " $3 }' <<<"$sources" >"$root/etc/apt/sources.list"
    network_settings >"$root/etc/apt/apt.conf.d/00machine"
    rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/archives/*.deb
    for file in /etc/resolv.conf /etc/hosts; do
        if [[ -f $file ]]; then cat "$file" >"$root$file"; fi
    done
    say "made in $((SECONDS - began)) s"
}
