/** `loop plugin`: installs or removes the plugin for a session's host program. */

import { invalid } from '../../model/failure.ts'
import { nearest } from '../../options/nearest.ts'
import { unknownAction } from '../action.ts'
import type { CommandRun } from '../command-table.ts'
import { hosts } from '../plugin-files.ts'

const actions = ['install', 'uninstall']

const plugin: CommandRun = async input => {
  const [what, name, ...more] = input.positionals
  const near = nearest(what ?? '', actions)
  if (near !== null && near !== what) return unknownAction('loop plugin', what ?? '', actions)
  if ((what !== 'install' && what !== 'uninstall') || more.length > 0)
    return invalid({ kind: 'plugin-action-missing' })
  const host = Object.hasOwn(hosts, name ?? '') ? hosts[name as keyof typeof hosts] : null
  if (!host) return invalid({ kind: 'unknown-plugin' })
  if (input.given('user') && input.given('project')) {
    return invalid({ kind: 'exclusive', one: 'user', other: 'project' })
  }
  return host[what]({ scope: input.given('project') ? 'project' : 'user', input })
}

export default plugin
