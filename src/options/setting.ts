/**
 * All keys of the configuration: the options of `start` whose row says `config`, and the settings of a user. Help,
 * `loop config list` and docs/reference/config.md are generated from it. Precedence: options/values. Valid values:
 * options/values.
 */
import { type Flag, keyOf } from './table/flag.ts'
import { planFlags } from './table/group.ts'
import { startFlags } from './table/start.ts'
import { userFlags } from './table/user.ts'

/** A key: the row of an option, and whether a project's file may set it. */
export type Setting = Flag & { key: string; project: boolean }

export const settings: Setting[] = [
  ...[...startFlags, ...planFlags].filter(flag => flag.config).map(flag => setting(flag, true)),
  ...userFlags.map(flag => setting(flag, false)),
]

function setting(flag: Flag, project: boolean): Setting {
  return { ...(flag.takes === undefined && { default: 'false' }), ...flag, key: keyOf(flag), project }
}
