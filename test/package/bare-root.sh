#!/bin/bash
# By hand, as root: bare-root.sh <root> <loopd.tgz> <node directory> <checkout>
# In an empty root (for example: debootstrap --variant=minbase --include=git,ca-certificates bookworm <root>) with
# nothing but Node, npm and git, a plain user with an empty HOME: installs the packed file, runs it once by npx, runs
# every sh block of the guide's first page, uninstalls; then the README's first command in a clean clone.
set -euo pipefail
root=$1 package=$2 node=$3 checkout=$4
rm -rf "$root/home/plain" "$root/opt/node"
mkdir -p "$root/opt/node" "$root/home/plain" "$root/proc" "$root/dev"
cp -a "$node/." "$root/opt/node/"
cp "$package" "$root/home/plain/"
git clone -q --no-hardlinks "$checkout" "$root/home/plain/checkout"
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/etc/extra-ca.pem"
chown -R 1234:1234 "$root/home/plain"
file=$(basename "$package")
cat >"$root/home/plain/run.sh" <<SCRIPT
set -eu
step() { echo "== \$*"; }
cd "\$HOME"
step versions; node --version; npm --version; git --version
step npx; npx --yes ./$file demo --plain | tail -n 3
step install; npm install -g --ignore-scripts --prefix "\$HOME/.local" ./$file
PATH=\$HOME/.local/bin:\$PATH
loop --version
step demo; loop demo --plain | grep -F '<loop-complete>'
step loopd; loopd start; loopd status | head -n 1; loopd stop
step guide
awk '/^\`\`\`sh\$/{on=1;next} /^\`\`\`/{on=0} on' "\$HOME/.local/lib/node_modules/loopd/docs/guide/first-loop.md" >guide.sh
sh -eu guide.sh >guide.out 2>&1 || { tail -n 20 guide.out; exit 1; }
tail -n 1 guide.out
step remove; npm uninstall -g --prefix "\$HOME/.local" loopd
ls -A "\$HOME/.local" "\$HOME/.local/bin"
step readme; cd checkout; npm start 2>&1 | grep -F '<loop-complete>'
echo "== all passed"
SCRIPT
unshare --mount --pid --fork --kill-child bash -c '
  mount --bind "$1" "$1"; mount -t proc proc "$1/proc"
  for device in null zero random urandom tty; do touch "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
  mkdir -p "$1/dev/shm"; mount -t tmpfs shm "$1/dev/shm"; ln -sfn /proc/self/fd "$1/dev/fd"
  exec chroot --userspec=1234:1234 "$1" /usr/bin/env -i HOME=/home/plain USER=plain LANG=C.UTF-8 \
    PATH=/opt/node/bin:/usr/bin:/bin ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem} bash /home/plain/run.sh' - "$root"
