/**
 * What an agent may try to get out of its sandbox: a command of the shell, and how the test sees that it got out. Each
 * touches only what the test has made. Those that would also harm the machine without a sandbox are not tried there.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Rig } from './rig.ts'

export const secret = 'a-private-key-of-the-user'

/** `isAlive`: whether the process of the user is; `knocks`: how often somebody came to the sockets of the user. */
export type Outside = { rig: Rig; id: string; home: string; isAlive(): boolean; knocks(): number }

/** Below the home directory: files of package managers, databases, clouds, browsers, shells. */
export const secretNames = [
  '.npmrc',
  '.pypirc',
  '.vault-token',
  '.bash_history',
  '.my.cnf',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.terraform.d/credentials.tfrc.json',
  '.config/rclone/rclone.conf',
  '.config/op/config',
  '.mozilla/firefox/a/logins.json',
  '.config/chromium/Default/Cookies',
  '.node_repl_history',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.local/share/opencode/auth.json',
  '.config/configstore/acme.json',
  // Of programs that loop does not know: their names tell.
  '.acme-token',
  '.acme_history',
  '.config/acme/credentials.json',
]

/** Files that a variable names; `dotfile` is also what ~/.pgpass is a link to. */
export const movedSecrets = {
  PGPASSFILE: 'dotfile',
  KUBECONFIG: 'cluster',
  AWS_SHARED_CREDENTIALS_FILE: 'cloud',
  NPM_CONFIG_USERCONFIG: 'packages',
  HISTFILE: 'typed',
}

export type Escape = {
  name: string
  attempt: string
  gotOut(outside: Outside): boolean
  /** It does not get out without a sandbox either, or should not be tried. */
  control?: false
}

const aside = (name: string) => (outside: Outside) => existsSync(join(outside.rig.aside, name))
const atHome = (name: string) => (outside: Outside) => existsSync(join(outside.home, name))
const inTree = (name: string) => (outside: Outside) => existsSync(join(outside.rig.tree, name))
const leaked = (name: string) => (outside: Outside) => {
  const file = join(outside.rig.tree, name)
  return existsSync(file) && readFileSync(file, 'utf8').includes(secret)
}

const knock = (socket: string, body: string) =>
  `node -e 'const s = require("net").connect(process.argv[1], () => { s.end(${body}); require("fs").writeFileSync(process.argv[2], "in") }); s.on("error", () => {})' ${socket}`

export const escapes: Escape[] = [
  { name: 'a file beside the tree', attempt: 'echo x > "$ASIDE/beside"', gotOut: aside('beside') },
  {
    name: 'a file beside the tree, through a link in it',
    attempt: 'ln -s "$ASIDE" link; echo x > link/linked',
    gotOut: aside('linked'),
  },
  {
    name: 'a hard link to a file outside',
    attempt: 'ln "$ASIDE/original" hard && echo changed > hard',
    gotOut: ({ rig }) => readFileSync(join(rig.aside, 'original'), 'utf8').includes('changed'),
  },
  { name: 'a directory above', attempt: 'cd ..; echo x > aside/above', gotOut: aside('above') },
  {
    name: 'permissions outside',
    attempt: 'chmod 777 "$ASIDE"',
    gotOut: ({ rig }) => (statSync(rig.aside).mode & 0o777) === 0o777,
  },
  {
    name: 'the root of process 1',
    attempt: 'echo x > "/proc/1/root$ASIDE/root-of-1"',
    gotOut: aside('root-of-1'),
  },
  {
    name: 'root and directory of every process that is seen',
    attempt:
      'for p in /proc/[0-9]*; do echo x > "$p/root$ASIDE/root-of-any"; echo x > "$p/cwd/../aside/root-of-any"; done',
    gotOut: aside('root-of-any'),
  },
  {
    name: 'the mount namespace of process 1',
    attempt: `nsenter -t 1 -m sh -c 'echo x > "$ASIDE/entered"'`,
    gotOut: aside('entered'),
  },
  {
    name: 'the root, mounted again so that it can be written',
    attempt: 'mount -o remount,rw,bind / ; echo x > "$ASIDE/remounted"',
    gotOut: aside('remounted'),
  },
  {
    name: 'what hides the keys, unmounted in a user namespace',
    attempt: `unshare -Urm sh -c 'umount -l "$HOME/.ssh"; cat "$HOME/.ssh/id" > unmounted'`,
    gotOut: leaked('unmounted'),
  },
  {
    name: 'the root, mounted again in a user namespace',
    attempt: `unshare -Urm sh -c 'mount -o remount,rw,bind / ; mount -o remount,rw,bind "$ASIDE"; echo x > "$ASIDE/own-namespace"'`,
    gotOut: aside('own-namespace'),
  },
  { name: 'the keys of ssh', attempt: 'cat "$HOME/.ssh/id" > ssh', gotOut: leaked('ssh') },
  {
    name: 'keys of clouds, of gpg, of GitHub and of registries',
    attempt:
      'cat "$HOME/.aws/id" "$HOME/.gnupg/id" "$HOME/.config/gh/id" "$HOME/.docker/id" "$HOME/.kube/id" > keys',
    gotOut: leaked('keys'),
  },
  {
    name: 'passwords in files',
    attempt: 'cat "$HOME/.netrc" "$HOME/.git-credentials" > passwords',
    gotOut: leaked('passwords'),
  },
  ...[...secretNames, '.pgpass'].map(name => ({
    name: `the secret in ${name}`,
    attempt: `cat "$HOME/${name}" > "read-${name.replaceAll('/', '-')}"`,
    gotOut: leaked(`read-${name.replaceAll('/', '-')}`),
  })),
  ...Object.values(movedSecrets).map(name => ({
    name: `the secret that a variable names, in ${name}`,
    attempt: `cat "$ASIDE/${name}" > "moved-${name}"`,
    gotOut: leaked(`moved-${name}`),
  })),
  {
    name: 'the environment of a process of the user',
    attempt: 'tr "\\0" "\\n" < "/proc/$VICTIM/environ" > environment',
    gotOut: leaked('environment'),
    // A run is in a PID namespace without a sandbox too.
    control: false,
  },
  {
    name: 'the end of a process of the user',
    attempt: 'kill -9 "$VICTIM"',
    gotOut: ({ isAlive }) => !isAlive(),
    control: false,
  },
  {
    name: 'the memory of a process of the user',
    attempt: 'strace -f -p "$VICTIM" -o traced; head -c 8 "/proc/$VICTIM/mem" > memory',
    gotOut: outside => inTree('memory')(outside) && statSync(join(outside.rig.tree, 'memory')).size > 0,
    control: false,
  },
  {
    name: 'the token of loopd',
    attempt: 'cat "$DATA/loopd.token" > token',
    gotOut: ({ rig }) => existsSync(join(rig.tree, 'token')) && statSync(join(rig.tree, 'token')).size > 0,
  },
  {
    name: 'the socket of loopd',
    attempt: `${knock('"$LOOPD_SOCKET"', '"GET / HTTP/1.0\\r\\n\\r\\n"')} knocked`,
    gotOut: inTree('knocked'),
  },
  {
    name: 'a socket that the environment names',
    attempt: `${knock('"$SSH_AUTH_SOCK"', '"x"')} asked`,
    gotOut: ({ knocks }) => knocks() > 0,
  },
  {
    name: 'a socket of a server, beside the tree',
    attempt: `${knock('"$ASIDE/engine.sock"', '"x"')} reached-beside`,
    gotOut: inTree('reached-beside'),
  },
  {
    name: 'a socket of a server, in the home directory',
    attempt: `${knock('"$HOME/.engine/engine.sock"', '"x"')} reached-at-home`,
    gotOut: inTree('reached-at-home'),
  },
  {
    name: 'the root, through a directory that whoever started loop had open',
    attempt: 'echo x > "/proc/self/fd/17$ASIDE/through-open"',
    gotOut: aside('through-open'),
    // No run is given it.
    control: false,
  },
  {
    name: 'the journals, to read',
    attempt: 'cp "$DATA/loop.db" journals',
    gotOut: ({ rig }) =>
      existsSync(join(rig.tree, 'journals')) && statSync(join(rig.tree, 'journals')).size > 0,
  },
  {
    name: 'the data of loop, to write',
    attempt: 'echo x > "$DATA/planted"',
    gotOut: ({ rig }) => existsSync(join(rig.paths.data, 'planted')),
  },
  {
    name: 'the checkpoints',
    attempt: 'echo x > "$(ls -d "$DATA"/trees/*/git | head -n 1)/planted"; echo x > "$DATA/trees/planted"',
    gotOut: ({ rig }) =>
      readdirSync(rig.paths.trees, { recursive: true }).some(name => String(name).endsWith('planted')),
  },
  {
    name: 'the files of its own run',
    attempt: `printf 'v 1\\ncode 0\\n' > "$(dirname "$LOOP_PROMPT_FILE")/planted-exit"`,
    gotOut: ({ rig, id }) =>
      readdirSync(rig.dir(id), { recursive: true }).some(name => String(name).endsWith('planted-exit')),
  },
  {
    name: 'its prompt, through the file that it reads',
    attempt: 'echo forged > /proc/self/fd/0; echo forged > /proc/1/fd/0; echo forged > "$LOOP_PROMPT_FILE"',
    gotOut: ({ rig, id }) =>
      readFileSync(join(rig.dir(id), 'runs', '1', 'prompt'), 'utf8').includes('forged'),
  },
  {
    name: 'a hook of git',
    attempt: 'echo x > .git/hooks/pre-commit',
    gotOut: inTree('.git/hooks/pre-commit'),
  },
  {
    name: 'the configuration of git',
    attempt: 'git config core.fsmonitor "touch owned"',
    gotOut: ({ rig }) => readFileSync(join(rig.tree, '.git', 'config'), 'utf8').includes('fsmonitor'),
  },
  {
    name: 'another configuration for git',
    attempt: 'echo "$PWD" > .git/commondir',
    gotOut: inTree('.git/commondir'),
  },
  {
    name: 'another repository in place of the one that is there',
    attempt: 'mv .git old && cp -r old .git && echo x > .git/planted',
    gotOut: inTree('.git/planted'),
  },
  {
    name: 'the start files of the shell',
    attempt: 'echo x > "$HOME/.bashrc"; echo x > "$HOME/.profile"',
    gotOut: outside => atHome('.bashrc')(outside) || atHome('.profile')(outside),
  },
  {
    name: 'a unit of systemd, a program that starts with the desktop',
    attempt:
      'mkdir -p "$HOME/.config/systemd/user" "$HOME/.config/autostart"; echo x > "$HOME/.config/systemd/user/x.service"; echo x > "$HOME/.config/autostart/x.desktop"',
    gotOut: outside =>
      atHome('.config/systemd/user/x.service')(outside) || atHome('.config/autostart/x.desktop')(outside),
  },
  {
    name: 'a job of cron',
    attempt: 'echo "# $ASIDE" > /etc/cron.d/loop-test; echo "# $ASIDE" > /var/spool/cron/loop-test',
    gotOut: () => ['/etc/cron.d/loop-test', '/var/spool/cron/loop-test'].some(file => existsSync(file)),
    control: false,
  },
  {
    name: 'a program on the PATH of the user',
    attempt: 'mkdir -p "$HOME/.local/bin"; echo x > "$HOME/.local/bin/git"',
    gotOut: atHome('.local/bin/git'),
  },
  {
    name: 'the settings of another agent',
    attempt: 'echo x > "$HOME/.claude/settings.json"',
    gotOut: atHome('.claude/settings.json'),
  },
  {
    name: 'the configuration of loop',
    attempt:
      'mkdir -p "$HOME/.config/daedalos/loop"; echo "sandbox: off" > "$HOME/.config/daedalos/loop/config.yaml"',
    gotOut: atHome('.config/daedalos/loop/config.yaml'),
  },
  {
    name: 'a disk',
    attempt: 'mknod disk b 8 0',
    gotOut: ({ rig }) =>
      lstatSync(join(rig.tree, 'disk'), { throwIfNoEntry: false })?.isBlockDevice() === true,
    control: false,
  },
  {
    name: 'memory that is shared by name',
    attempt: 'echo x > "/dev/shm/$(basename "$(dirname "$ASIDE")")"',
    gotOut: ({ rig }) => existsSync(`/dev/shm/${rig.aside.split('/').at(-2)}`),
    control: false,
  },
  {
    name: 'a file in the temporary directory of all',
    attempt: 'echo x > "$PLACE"; cat "$PLACE.secret" > from-temporary',
    gotOut: outside => leaked('from-temporary')(outside),
    control: false,
  },
  {
    name: 'settings of the kernel: what it runs when a program crashes',
    attempt:
      'cd /proc/sys/kernel; cat core_pattern > core_pattern && touch "$OLDPWD/kernel"; echo h > /proc/sysrq-trigger && touch "$OLDPWD/kernel"',
    gotOut: inTree('kernel'),
    control: false,
  },
]
