# Sourced by ./run and ./test: finds what they need and installs what is missing with Debian's package manager.
# Nothing is installed that is already there, so a second run touches nothing and needs no network.

export PATH="$PATH:${HOME:-}/.cargo/bin:/usr/local/sbin:/usr/sbin:/sbin"

say() { printf '== %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Whether commands can be run as root: as root itself, or through sudo without a password or with a person to type it.
can_be_root() { [ "$(id -u)" -eq 0 ] || { have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

try_install() {
  have apt-get && can_be_root || return
  say "installing $*"
  as_root apt-get update -qq >&2 || return
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# install <what it is for> <package>…: one clear line when it cannot be done from here.
install() {
  local what=$1
  shift
  try_install "$@" || fail "no $what found; as root, type: apt-get install -y $*"
}

need_rust() {
  have cargo || fail "no cargo found; install Rust first (the version is in Cargo.toml, rust-version)"
  have cc || install "C linker" build-essential
}

# The names under which the service itself looks for a browser, and the settings that name one.
find_browser() {
  local name path
  for path in "${BROWSER_CHROME_PATH:-}" "${BROWSER_CHROMIUM_PATH:-}" "${BROWSER_EDGE_PATH:-}" \
    /opt/google/chrome/chrome /opt/microsoft/msedge/msedge /usr/lib/chromium/chromium /snap/bin/chromium; do
    [ -n "$path" ] && [ -x "$path" ] && return 0
  done
  for name in google-chrome google-chrome-stable chromium chromium-browser microsoft-edge microsoft-edge-stable; do
    have "$name" && return 0
  done
  return 1
}

need_browser() {
  find_browser || install "Chrome, Chromium or Edge" chromium chromium-sandbox fonts-liberation
}

# Pages with Chinese text want a font; without one the tests still run, only the pictures show boxes.
want_cjk_font() {
  have fc-list && [ -n "$(fc-list :lang=zh family)" ] && return
  try_install fonts-noto-cjk || say "no CJK font; pictures of Chinese text will show boxes (fonts-noto-cjk)"
}

# A display that nobody sees, for the tests of browsers with a window.
need_display() { have Xvfb || install "virtual display" xvfb; }

need_node() {
  { have node && have npm; } || install "Node.js with npm" nodejs npm ca-certificates
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 18 ] || fail "Node.js 18 or newer is needed, $(command -v node) is $(node -v)"
}

# sum <file or folder>…: one sum over names and contents.
sum() { find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1; }

# done_before <stamp file> <sum>: whether the step that wrote the stamp ran with exactly this input.
done_before() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# install_locked <folder>: npm ci there, when its lock file changed since the last time.
install_locked() (
  cd "$1" || exit
  need_node
  packages=$(sum package.json package-lock.json)
  done_before node_modules/.stamp "$packages" && exit 0
  say "npm ci in $1"
  # No package here needs its install script; the bundler's binary is an ordinary package.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 || exit
  printf '%s\n' "$packages" >node_modules/.stamp
)

# Bundles the pages of tests/fixtures when their sources or the lock file changed since the last time.
build_fixtures() (
  cd tests/fixtures || exit
  # Every folder with an application, and what they share.
  sources=$(sum package.json package-lock.json build.mjs shared $(dirname -- */main.js*))
  done_before dist/.stamp "$sources" && exit 0
  need_node
  install_locked . || exit
  say "bundling tests/fixtures"
  node build.mjs >&2 || exit
  printf '%s\n' "$sources" >dist/.stamp
)
