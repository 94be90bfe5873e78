/**
 * The places of plugins in each host program. Claude Code is asked through its own commands; opencode loads a
 * folder, so a link to our plugin is put there. Nothing that is not ours is replaced or removed.
 */

import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasAncestorWith } from '../adapters/process/around.ts'
import { objectOf, parseJson, textsOf } from '../core/session/state-file.ts'
import { safeText } from '../core/text/plain-text.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { version as current } from '../model/version.ts'
import { type ExecResult, exec } from '../platform/exec.ts'
import type { Input } from './command-table.ts'
import { programOnPath } from './doctor/machine.ts'
import { directoryHere } from './find-loop.ts'
import { outFor } from './terminal.ts'

const pluginsDir = resolve(import.meta.dirname, '..', 'plugins')

/** The scope of the plugin, and its input. */
type Placed = { scope: 'user' | 'project'; input: Pick<Input, 'env'> }

type Wish = { scope: 'user' | 'project'; input: Input }

type Host = { install(wish: Wish): Promise<Result<number>>; uninstall(wish: Wish): Promise<Result<number>> }

const name = 'loop@loop'
const notOnPath = 'Its commands call loop, which is not on your PATH. Install it: npm install -g loopd'
const answerMs = 60_000

export const hosts: Record<'claude' | 'opencode', Host> = {
  claude: {
    async install({ scope, input }) {
      const added = await claude(input.env, ['marketplace', 'add', pluginsDir])
      if (!added.ok) return added
      const installed = await claude(input.env, ['install', name, '--scope', scope])
      if (!installed.ok) return installed
      const there = await claudePlugins(input.env)
      const old = there?.some(plugin => plugin.scope === scope && plugin.version !== current)
      if (old) await claude(input.env, ['update', name, '--scope', scope])
      const missing = programOnPath('loop', input.env) ? '' : ` ${notOnPath}`
      const words = `The plugin is in Claude Code (${scope}). New sessions have /loop:go; running ones after /reload-plugins.${missing}`
      return said(input, words, { host: 'claude', scope, installed: true, path: null })
    },
    async uninstall({ scope, input }) {
      const there = (await claudePlugins(input.env)) ?? []
      const gone = { host: 'claude', scope, installed: false, path: null } as const
      if (!there.some(plugin => plugin.scope === scope)) {
        return said(input, `The plugin is not in Claude Code (${scope}).`, gone)
      }
      const removed = await claude(input.env, ['uninstall', name, '--scope', scope])
      if (!removed.ok) return removed
      if (there.length === 1) await claude(input.env, ['marketplace', 'remove', 'loop'])
      return said(input, `The plugin is no longer in Claude Code (${scope}).`, gone)
    },
  },
  opencode: {
    async install(wish) {
      const { input, scope } = wish
      const source = openCodeSource()
      if (!source) return fail('not-available-yet', { kind: 'no-opencode-plugin' })
      const link = openCodeLink(wish)
      if (isThere(link) && !isOurs(link)) {
        return fail('not-allowed', { kind: 'link-not-ours', path: link })
      }
      mkdirSync(join(link, '..'), { recursive: true })
      rmSync(link, { force: true })
      symlinkSync(source, link)
      const there = { host: 'opencode', scope, installed: true, path: link } as const
      return said(input, `The plugin is in opencode: ${link}`, there)
    },
    async uninstall(wish) {
      const { input, scope } = wish
      const link = openCodeLink(wish)
      const gone = { host: 'opencode', scope, installed: false, path: link } as const
      if (!isThere(link)) return said(input, 'The plugin is not in opencode.', gone)
      if (!isOurs(link)) return fail('not-allowed', { kind: 'link-stays', path: link })
      rmSync(link)
      return said(input, `The plugin is no longer in opencode: ${link}`, gone)
    },
  },
}

/** `wrong`: the errors that Claude Code reports; empty if none. */
type Installed = { scope: string; version: string; enabled: boolean; wrong: string }

/** Where Claude Code has the plugin, by its own list; null if it does not answer. */
export async function claudePlugins(env: NodeJS.ProcessEnv): Promise<Installed[] | null> {
  const listed = await run(env, ['plugin', 'list', '--json'])
  const plugins = listed.code === 0 ? parseJson(String(listed.stdout)) : null
  if (!Array.isArray(plugins)) return null
  return plugins.flatMap(value => {
    const plugin = objectOf(value)
    if (plugin?.['id'] !== name) return []
    const { scope, version, enabled, errors } = plugin
    const wrong = safeText(textsOf(errors).join('; '))
    return { scope: String(scope), version: String(version), enabled: enabled === true, wrong }
  })
}

export function openCodeLink({ scope, input: { env } }: Placed): string {
  const config = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? '/', '.config')
  const dir = scope === 'project' ? join(directoryHere() ?? '/', '.opencode') : join(config, 'opencode')
  return join(dir, 'plugins', 'loop.js')
}

/**
 * Whether a plugin holds the current session to its loop; outside of a session, whether one is installed for this user
 * or project. Null if unknown.
 */
export async function isHeldByPlugin(env: NodeJS.ProcessEnv): Promise<boolean | null> {
  // The plugin itself sets it.
  if (env['LOOP_SESSION']) return true
  const inClaude = Boolean(env['CLAUDE_CODE_SESSION_ID'])
  const links = (['user', 'project'] as const).map(scope => openCodeLink({ scope, input: { env } }))
  if (!inClaude && links.some(link => isOurs(link) && existsSync(link))) return true
  if (!programOnPath('claude', env)) return inClaude ? null : false
  const found = await claudePlugins(env)
  if (!found || found.some(({ enabled }) => enabled)) return found && true
  // Loaded for this session only, so it is in no list.
  return inClaude && hasAncestorWith(text => /^--plugin-dir\b/.test(text)) ? null : false
}

function openCodeSource(): string | null {
  const sources = ['loop.js', 'loop.ts'].map(file => join(pluginsDir, 'opencode', file))
  return sources.find(file => existsSync(file)) ?? null
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** A link to a plugin of loop, of this checkout or another. */
export function isOurs(link: string): boolean {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return false
  return /plugins\/opencode\/loop\.[jt]s$/.test(readlinkSync(link))
}

async function claude(env: NodeJS.ProcessEnv, args: string[]): Promise<Result<null>> {
  const asked = await run(env, ['plugin', ...args])
  if (asked.cut === 'unstartable') {
    return fail('agent-missing', { kind: 'claude-missing' })
  }
  if (asked.code === 0) return ok(null)
  const words = safeText(`${asked.stdout}\n${asked.stderr}`).trim().split('\n').at(-1) ?? ''
  return fail('system', { kind: 'claude-plugin-failed', args, said: words || `exit ${asked.code}` })
}

function run(env: NodeJS.ProcessEnv, args: string[]): Promise<ExecResult> {
  const signal = AbortSignal.timeout(answerMs)
  return exec({
    argv: ['claude', ...args],
    cwd: directoryHere() ?? '/',
    env,
    signal,
  })
}

/** The plugin as it is now; `path`: of the link to it, null if its host keeps it. */
type Placement = {
  host: keyof typeof hosts
  scope: Wish['scope']
  installed: boolean
  path: string | null
}

function said(input: Input, text: string, now: Placement): Result<number> {
  outFor<'plugin'>(input, { ...now, done: text }, text)
  return ok(0)
}
