/**
 * Sample data for each kind of failure about loopd, the host system and the store:
 * one for each branch of its sentence.
 */
import type { Samples } from './samples.ts'

const id = 'a1b2c3'
/** A failure inside another. */
const inner = { kind: 'system-refused', why: 'no space left on device' } as const

export const systemSamples = {
  'no-page': [{ why: 'permission denied' }, { why: null }],
  'daemon-unreachable': [{ socket: '/run/user/1000/loopd.sock', why: 'permission denied' }],
  'socket-unusable': [{ path: '/home/ada/shop/notes.md', why: 'permission denied' }],
  'no-place-for-socket': [{ why: 'permission denied' }],
  'not-a-socket': [{ path: '/home/ada/shop/notes.md' }],
  'socket-taken': [{ path: '/home/ada/shop/notes.md' }],
  'cannot-listen': [{ path: '/home/ada/shop/notes.md', why: 'permission denied' }],
  'no-group-to-show': [{ id }],
  'not-what-was-read': [{ path: '/home/ada/shop/notes.md' }],
  'no-small-file': [{ path: '/home/ada/shop/notes.md', mostKb: 64 }],
  'asked-too-much': [{}],
  'no-own-answer': [
    { command: 'loop logs', exit: 3, said: 'no space left on device' },
    { command: 'loop logs', exit: null, said: 'no space left on device' },
  ],
  'no-such-directory': [{ path: '/home/ada/shop/notes.md', problem: 'not a directory' }],
  'daemon-runs': [{ pid: 4711 }, { pid: null }],
  'daemon-not-running': [{}],
  'daemon-does-not-end': [{ pid: 4711 }],
  'other-socket': [{ named: '/tmp/other.sock', pid: 4711, socket: '/run/user/1000/loopd.sock' }],
  'daemon-inside-run': [{ inside: 'run' }, { inside: 'hook' }],
  'daemon-unstartable': [{ said: 'no space left on device' }],
  'daemon-silent': [{ pid: 4711 }, { pid: null }],
  'queued-for-nobody': [{ id, because: inner }],

  'no-such-tool': [{}],
  'tool-broken': [{ why: 'permission denied' }],
  'directory-gone': [{ path: '/home/ada/shop/notes.md' }],
  'shim-ended': [
    { why: 'exit 3', said: '' },
    { why: 'exit 3', said: 'no space left on device' },
  ],
  'sandbox-gone': [
    { why: 'no-program', said: '' },
    { why: 'apparmor', said: 'bwrap: setting up uid map: Permission denied' },
    { why: 'refused', said: '' },
    { why: 'check', said: '' },
    { why: 'session', said: '' },
  ],
  'tree-in-hidden': [{ tree: '/home/ada/shop', hidden: '/home/ada/.ssh' }],
  'holdout-sealed': [{ key: '/home/ada/.local/share/loop/holdout.key' }],
  unkillable: [{ command: 'npm test', pids: [4711, 4712] }],
  'tool-missing': [{ tool: 'setsid' }],
  'no-such-file': [{ path: '/home/ada/shop/notes.md' }],
  unhealthy: [{ checks: ['git'] }, { checks: ['git', 'disk'] }],
  'changed-while-exported': [{ what: 'the cart' }],
  'no-opencode-plugin': [{}],
  'link-not-ours': [{ path: '/home/ada/shop/notes.md' }],
  'link-stays': [{ path: '/home/ada/shop/notes.md' }],
  'no-directory': [{}],
  'unsupported-system': [{ system: 'darwin' }],
  'system-refused': [{ why: 'permission denied' }],
  bug: [{ why: 'permission denied' }],
  broken: [{ why: 'permission denied' }],

  'store-damaged': [{ database: '/home/ada/.local/share/loop/loop.db', why: 'permission denied' }],
  'store-locked': [{ database: '/home/ada/.local/share/loop/loop.db' }],
  'store-unusable': [{ database: '/home/ada/.local/share/loop/loop.db', why: 'permission denied' }],
  'store-in-use': [{ pids: ['4711', '4712'] }],
  'no-backup': [
    { backups: '/home/ada/.local/share/loop/backups', database: '/home/ada/.local/share/loop/loop.db' },
  ],
  'store-gone': [
    { database: '/home/ada/.local/share/loop/loop.db', backups: '/home/ada/.local/share/loop/backups' },
  ],
  'store-foreign': [{ path: '/home/ada/shop/notes.md' }],
  'store-newer': [{ database: '/home/ada/.local/share/loop/loop.db', version: 9, known: 6 }],
  'store-unreleased': [{ file: '/home/ada/.local/share/loop/loop.db', data: '/home/ada/.local/share/loop' }],
  'journal-damaged': [{ id, seq: 17 }],
  'journals-not-counted': [{ ids: ['a1b2c3', 'd4e5f6'] }],
  'agents-at-work': [{ pids: [4711, 4712] }],
  'store-unsound': [{ found: 'row 3 missing from index' }],
  'store-sound': [{}],
  'lease-lost': [{ why: 'permission denied', id }],
  'store-replaced': [{ database: '/home/ada/.local/share/loop/loop.db', id }],
  'journal-unwritable': [{ id, why: 'permission denied' }],
  'foreign-events': [{ why: 'permission denied' }],
  'journals-damaged': [{ ids: ['a1b2c3', 'd4e5f6'] }],
  'loop-unreadable': [{ id }],
  'group-unreadable': [{ id }],
  'loop-without-journal': [{ id }],

  said: [{ message: 'loopd of another version says this.' }],
} satisfies Partial<Samples>
