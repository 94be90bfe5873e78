/**
 * The user's git configuration, as far as checkpoints depend on it. Its files are only searched for the name of a
 * setting, which costs no process. If the name is found, git is asked for the value, because git alone knows which
 * includes and conditions apply. Nothing of the user's repository is written or run.
 */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { exec } from '../../platform/exec.ts'
import type { UserRepository } from './outer-rules.ts'

/** Git's own limit. */
const deepestInclude = 10
const mostBytes = 1024 * 1024
/** Git blocks for ever on a configuration file that is a pipe. */
const patienceMs = 5_000

/** Where the user's own files for git may be; git reads the first that is set. */
export function userDirectories(): string[] {
  const { XDG_CONFIG_HOME } = process.env
  return [...(XDG_CONFIG_HOME ? [XDG_CONFIG_HOME] : []), join(homedir(), '.config')].map(at =>
    join(at, 'git'),
  )
}

/** May the configuration have this setting? A wrong yes only costs time. */
export function mayConfigure(user: UserRepository | null, setting: RegExp): boolean {
  const { env } = process
  if (env['GIT_CONFIG_COUNT'] || env['GIT_CONFIG_PARAMETERS']) return true
  const own = user ? [join(user.gitDirectory, 'config'), join(user.ownDirectory, 'config.worktree')] : []
  const named = [env['GIT_CONFIG_GLOBAL'], env['GIT_CONFIG_SYSTEM']].filter(path => path !== undefined)
  const global = [join(homedir(), '.gitconfig'), ...userDirectories().map(at => join(at, 'config'))]
  const system = ['/etc', '/usr/local/etc', '/opt/homebrew/etc'].map(at => join(at, 'gitconfig'))
  return [...own, ...named, ...global, ...system].some(path => names(path, setting))
}

/** Does this file, or one that it includes under whatever condition, name the setting? */
function names(config: string, setting: RegExp, depth = 0): boolean {
  const text = readSetting(config, mostBytes)
  if (text === null || setting.test(text) || depth > deepestInclude) return true
  if (!/\[\s*include/i.test(text)) return false
  const paths = [...text.matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gim)].map(([, path = '']) => path)
  return paths.some(path =>
    names(resolve(dirname(config), path.replace(/^~/, homedir())), setting, depth + 1),
  )
}

/** The text of the ignore rules for every repository of this user. `user` null: the tree is in no repository. */
export async function userRules(user: UserRepository | null): Promise<string> {
  const path = mayConfigure(user, /excludesfile/i) ? await configuredRules(user?.root ?? '/') : null
  // A larger file is taken for a mistake.
  return readSetting(path ?? join(userDirectories()[0] ?? '', 'ignore'), mostBytes) ?? ''
}

/** Null where the setting is not set, or git cannot say. */
async function configuredRules(cwd: string): Promise<string | null> {
  const argv = ['git', 'config', '--type=path', '--get', 'core.excludesFile'] as const
  const env = Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG)/.test(name))
  const signal = AbortSignal.timeout(patienceMs)
  const asked = await exec({ argv, cwd, env: Object.fromEntries(env) as Record<string, string>, signal })
  // Relative to the top of the work tree, as in git. An empty value means no file, not even the default one.
  return asked.code === 0 ? resolve(cwd, asked.stdout.toString().replace(/\n$/, '')) : null
}

/** Empty for a file that is missing or unreadable, and for a pipe, which would block. Null if it is larger than `most`. */
export function readSetting(path: string | Buffer): string
export function readSetting(path: string | Buffer, most: number): string | null
export function readSetting(path: string | Buffer, most = Number.POSITIVE_INFINITY): string | null {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return ''
    return stat.size > most ? null : readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
