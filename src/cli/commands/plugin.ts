/** `loop plugin`: puts the plugin of a session's host where that looks for it, or takes it out. */
import { fail } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { hosts } from '../plugin-files.ts'

const plugin: CommandRun = async input => {
  const [what, name, ...more] = input.positionals
  const usage = 'Say what and where: loop plugin install claude, loop plugin uninstall opencode'
  if ((what !== 'install' && what !== 'uninstall') || more.length > 0) return fail('invalid-arguments', usage)
  const host = Object.hasOwn(hosts, name ?? '') ? hosts[name as keyof typeof hosts] : null
  if (!host) return fail('invalid-arguments', `There is a plugin for claude and for opencode. ${usage}`)
  if (input.given('user') && input.given('project')) {
    return fail('invalid-arguments', '--user and --project exclude each other.')
  }
  return host[what]({ scope: input.given('project') ? 'project' : 'user', input })
}

export default plugin
