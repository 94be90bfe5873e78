/** Checks that the plugins for session loops are installed, have this version, and find loop. */
import { existsSync } from 'node:fs'
import { version } from '../../model/version.ts'
import { claudePlugins, isOurs, openCodeLink } from '../plugin-files.ts'
import { type Check, good, warn } from './check.ts'
import { programOnPath } from './machine.ts'

/** `holds`: a session is held to a loop here, which needs a plugin. */
export async function pluginsCheck(env: NodeJS.ProcessEnv, holds: string | null): Promise<Check[]> {
  const checks = [...(await claudeCheck(env)), ...openCodeCheck(env)]
  if (holds === null || checks.some(({ found }) => !found.startsWith(notInstalled))) return checks
  const found = `${notInstalled}: nothing holds a session to ${holds}`
  return [warn('plugin', found, 'loop plugin install claude; or: loop plugin install opencode')]
}

const notInstalled = 'not installed'

async function claudeCheck(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const what = 'plugin claude'
  if (!programOnPath('claude', env)) return []
  const found = await claudePlugins(env)
  const again = 'Put it in again with: loop plugin install claude'
  if (!found) return [warn(what, 'Claude Code does not say which plugins it has', again)]
  if (found.length === 0)
    return [good(what, `${notInstalled}; for loops inside a session: loop plugin install claude`)]
  const old = found.find(plugin => plugin.version !== version)
  if (old) return [warn(what, `${old.version} (${old.scope}), and this is loop ${version}`, again)]
  const off = found.find(({ enabled }) => !enabled)
  if (off)
    return [warn(what, `switched off (${off.scope})`, 'Switch it on with: claude plugin enable loop@loop')]
  const broken = found.find(({ wrong }) => wrong !== '')
  if (broken) return [warn(what, `not loaded (${broken.scope}): ${broken.wrong}`, again)]
  if (!programOnPath('loop', env)) {
    return [
      warn(what, 'its commands call loop, which is not on the PATH', 'Install it: npm install -g loopd'),
    ]
  }
  return [good(what, found.map(({ scope, version: is }) => `${is} (${scope})`).join(', '))]
}

function openCodeCheck(env: NodeJS.ProcessEnv): Check[] {
  const what = 'plugin opencode'
  return (['user', 'project'] as const).flatMap(scope => {
    const link = openCodeLink({ scope, input: { env } })
    if (!isOurs(link)) return []
    if (existsSync(link)) return [good(what, link)]
    return [warn(what, `${link} leads nowhere`, 'Put it in again with: loop plugin install opencode')]
  })
}
