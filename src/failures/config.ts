/** Failures: configuration files and their keys. */
import { spelledOut } from '../core/text/plain-text.ts'
import { formatBytes } from '../model/units.ts'
import type { Caused, Say } from './all.ts'

const otherValues = { nothing: 'no value', alias: 'an alias', keys: 'keys below it', list: 'a list' }

const unusable = {
  link: 'is a symbolic link, and none is followed here. Remove the link, or put a copy of its target there',
  directory: 'is a directory, not a file. Move it away',
  'not-a-file': 'is not a regular file. Move it away',
  dangling: 'is a symbolic link to nothing. Mend or remove it',
}

export const configFailures = {
  'config-unlockable': (d: { path: string; why: string }) =>
    `${d.path} cannot be locked (${d.why}). Nothing was changed.`,
  'key-not-yet': (d: { key: string }) =>
    `The key ${short(d.key)} is not available in this version of loop yet.`,
  'unknown-key': (d: { key: string; near: string | null }) =>
    `There is no key ${short(d.key)}. ${d.near ? `Did you mean ${d.near}?` : 'The keys there are: loop config --help'}`,
  'key-twice': (d: { path: string; line: number; key: string; first: number }) =>
    `${d.path}:${d.line}: ${d.key} is set twice, first in line ${d.first}. Remove one of them.`,
  'bad-key': (d: Caused & { at: string }, say: Say) => `${d.at}: ${say(d.because)}`,
  'not-of-project-at': (d: { at: string; key: string }) =>
    `${d.at}: ${d.key} is not a project's to set. Remove it here; for yourself: loop config set ${d.key} <value>`,
  'unfit-key': (d: { at: string; key: string; expected: string; near?: string | null; text: string }) =>
    `${d.at}: ${d.key} is ${d.expected}; not "${short(d.text)}".${d.near ? ` Did you mean ${d.near}?` : ''}`,
  'trust-unrecorded': (d: Caused & { path: string }, say: Say) =>
    `Whether ${d.path} is trusted could not be recorded. ${say(d.because)}`,
  'config-unwritable': (d: { path: string; why: string }) =>
    `${d.path} cannot be written (${d.why}). Check its directory; nothing was changed.`,
  'config-form': (d: { form: string }) =>
    `There are too few or too many arguments. The form is: ${d.form} (a value in quotes)`,
  'project-flag': (d: { action: string }) =>
    `--project goes with set and unset; loop config ${d.action} has no use for it.`,
  'not-of-project': (d: { key: string }) =>
    `${d.key} is not a project's to set. For yourself: loop config set ${d.key} <value>`,
  'config-not-yaml': (d: { at: string; said: string }) =>
    expectedLines(d.at, `this is not YAML that loop can read (${d.said})`),
  'config-not-keys': (d: { at: string }) => expectedLines(d.at, 'this is not a list of keys and values'),
  'config-nul': (d: { at: string }) => expectedLines(d.at, 'there is a NUL byte, so this is not text'),
  'config-not-text': (d: { at: string }) => expectedLines(d.at, 'this is not UTF-8 text'),
  'config-not-a-key': (d: { at: string }) => expectedLines(d.at, 'this is not the name of a key'),
  'config-not-plain': (d: { at: string; key: string; has: 'nothing' | 'alias' | 'keys' | 'list' }) =>
    expectedLines(d.at, `${d.key} has ${otherValues[d.has]}; give it one plain value`),
  'config-unusable': (d: { path: string; why: 'link' | 'directory' | 'not-a-file' | 'dangling' }) =>
    `${d.path} ${unusable[d.why]}.`,
  'config-unreadable': (d: { path: string; why: string }) =>
    `${d.path} cannot be read (${d.why}). Mend its permissions.`,
  'config-too-large': (d: { path: string; bytes: number; most: number }) =>
    `${d.path} has ${formatBytes(d.bytes)}, and a configuration has at most ${formatBytes(d.most)}. Make it smaller, or move it away.`,
}

/** The text can be a stranger's: none of it reaches a terminal unescaped. */
function short(text: string): string {
  const whole = spelledOut(text)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}

function expectedLines(at: string, what: string): string {
  return `${at}: ${short(what)}. Expected are lines like "timeout: 10m"; the keys there are: loop config --help`
}
