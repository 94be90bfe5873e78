/** Sentences about configuration files and their keys. */
import type { ConfigFailures } from '../../../model/facts/config.ts'
import { formatBytes } from '../../../model/units.ts'
import { spelledOut } from '../../text/plain-text.ts'
import type { Sentences } from './words.ts'

const otherValues = { nothing: 'no value', alias: 'an alias', keys: 'keys below it', list: 'a list' }

const unusable = {
  link: 'is a symbolic link, and none is followed here. Remove the link, or put a copy of its target there',
  directory: 'is a directory, not a file. Move it away',
  'not-a-file': 'is not a regular file. Move it away',
  dangling: 'is a symbolic link to nothing. Mend or remove it',
}

export const configSentences: Sentences<ConfigFailures> = {
  'config-unlockable': ({ path, why }) => `${path} cannot be locked (${why}). Nothing was changed.`,
  'key-not-yet': ({ key }) => `The key ${short(key)} is not available in this version of loop yet.`,
  'unknown-key': ({ key, near }) =>
    `There is no key ${short(key)}. ${near ? `Did you mean ${near}?` : 'The keys there are: loop config --help'}`,
  'key-twice': ({ path, line, key, first }) =>
    `${path}:${line}: ${key} is set twice, first in line ${first}. Remove one of them.`,
  'bad-key': ({ at, because }, say) => `${at}: ${say(because)}`,
  'not-of-project-at': ({ at, key }) =>
    `${at}: ${key} is not a project's to set. Remove it here; for yourself: loop config set ${key} <value>`,
  'unfit-key': ({ at, key, expected, near, text }) =>
    `${at}: ${key} is ${expected}; not "${short(text)}".${near ? ` Did you mean ${near}?` : ''}`,
  'trust-unrecorded': ({ path, because }, say) =>
    `Whether ${path} is trusted could not be recorded. ${say(because)}`,
  'config-unwritable': ({ path, why }) =>
    `${path} cannot be written (${why}). Check its directory; nothing was changed.`,
  'config-form': ({ form }) =>
    `There are too few or too many arguments. The form is: ${form} (a value in quotes)`,
  'project-flag': ({ action }) =>
    `--project goes with set and unset; loop config ${action} has no use for it.`,
  'not-of-project': ({ key }) =>
    `${key} is not a project's to set. For yourself: loop config set ${key} <value>`,
  'config-not-yaml': ({ at, said }) => expectedLines(at, `this is not YAML that loop can read (${said})`),
  'config-not-keys': ({ at }) => expectedLines(at, 'this is not a list of keys and values'),
  'config-nul': ({ at }) => expectedLines(at, 'there is a NUL byte, so this is not text'),
  'config-not-text': ({ at }) => expectedLines(at, 'this is not UTF-8 text'),
  'config-not-a-key': ({ at }) => expectedLines(at, 'this is not the name of a key'),
  'config-not-plain': ({ at, key, has }) =>
    expectedLines(at, `${key} has ${otherValues[has]}; give it one plain value`),
  'config-unusable': ({ path, why }) => `${path} ${unusable[why]}.`,
  'config-unreadable': ({ path, why }) => `${path} cannot be read (${why}). Mend its permissions.`,
  'config-too-large': ({ path, bytes, most }) =>
    `${path} has ${formatBytes(bytes)}, and a configuration has at most ${formatBytes(most)}. Make it smaller, or move it away.`,
}

/** The text can be a stranger's: none of it reaches a terminal unescaped. */
function short(text: string): string {
  const whole = spelledOut(text)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}

function expectedLines(at: string, what: string): string {
  return `${at}: ${short(what)}. Expected are lines like "timeout: 10m"; the keys there are: loop config --help`
}
