/**
 * Every key of the configuration: the options of `start` whose row says `config`, and what holds for a user as a
 * whole. Help, `loop config list` and docs/reference/config.md are made from it. Which value holds is
 * options/values; what a value may be is options/value.
 */
import { type Flag, keyOf } from './table/flag.ts'
import { startFlags } from './table/start.ts'
import { userFlags } from './table/user.ts'

/** A key: the row of an option, and whether the file of a project may set it too. */
export type Setting = Flag & { key: string; project: boolean }

export const settings: Setting[] = [
  ...startFlags.filter(flag => flag.config).map(flag => setting(flag, true)),
  ...userFlags.map(flag => setting(flag, false)),
]

function setting(flag: Flag, project: boolean): Setting {
  return { ...(flag.takes === undefined && { default: 'false' }), ...flag, key: keyOf(flag), project }
}
