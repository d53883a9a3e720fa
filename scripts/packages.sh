# Installs Debian packages that are missing; sourced by the scripts beside it.
# shellcheck shell=bash disable=SC2034

# What a private desktop consists of, and what builds the program (rustup brings no linker).
desktop_packages=(gcc libc6-dev ca-certificates xvfb openbox at-spi2-core dbus
    fonts-dejavu-core adwaita-icon-theme librsvg2-common)

say() {
    printf '\n\033[1m%s\033[0m\n' "$*"
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# install_missing PACKAGE... - asks before it uses sudo, and never when nobody can answer.
install_missing() {
    local package missing=() as_root=(env)
    if ! command -v apt-get >/dev/null; then
        printf 'This is neither Debian nor Ubuntu; needed are: %s\n' "$*" >&2
        return 0
    fi
    for package; do
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed* ]] ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "Missing packages: ${missing[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "install them as root: apt-get install ${missing[*]}"
        if [[ -t 0 ]]; then
            local answer
            read -rp 'Install them with sudo apt-get? [y/N] ' answer
            [[ $answer == [yY]* ]] || fail 'nothing was installed'
            as_root=(sudo env)
        else
            as_root=(sudo --non-interactive env)
        fi
    fi
    local apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120)
    local pause
    for pause in 5 15 0; do
        "${apt[@]}" update && break
        # Old lists may still do; if not, installing fails and says why.
        echo "apt-get update failed; trying again in $pause s"
        sleep "$pause"
    done
    "${apt[@]}" install --yes --no-install-recommends "${missing[@]}"
}
