/**
 * The user's git configuration, as far as checkpoints depend on it. Its files are only searched for the name of a
 * setting, which costs no process; where the name is in one of them, git itself says what the setting is, since
 * includes and their conditions are its own business. Nothing of the user's repository is written or run.
 */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { exec } from '../../adapters/process/exec.ts'
import type { UserRepository } from './outer-rules.ts'

/** As deep as git goes. */
const deepestInclude = 10
const mostBytes = 1024 * 1024
/** Git waits for ever for a configuration that is a pipe. */
const patienceMs = 5_000

/** Where the user's own files for git may be: git reads the first of them that is set. */
export function userDirectories(): string[] {
  const { XDG_CONFIG_HOME } = process.env
  return [...(XDG_CONFIG_HOME ? [XDG_CONFIG_HOME] : []), join(homedir(), '.config')].map(at =>
    join(at, 'git'),
  )
}

/** Whether the configuration may have this setting: a wrong yes only costs time. */
export function mayConfigure(user: UserRepository | null, setting: RegExp): boolean {
  const { env } = process
  if (env['GIT_CONFIG_COUNT'] || env['GIT_CONFIG_PARAMETERS']) return true
  const own = user ? [join(user.gitDirectory, 'config'), join(user.ownDirectory, 'config.worktree')] : []
  const named = [env['GIT_CONFIG_GLOBAL'], env['GIT_CONFIG_SYSTEM']].filter(path => path !== undefined)
  const global = [join(homedir(), '.gitconfig'), ...userDirectories().map(at => join(at, 'config'))]
  const system = ['/etc', '/usr/local/etc', '/opt/homebrew/etc'].map(at => join(at, 'gitconfig'))
  return [...own, ...named, ...global, ...system].some(path => names(path, setting))
}

/** Here or in what it includes; whether that counts now makes no difference. */
function names(config: string, setting: RegExp, depth = 0): boolean {
  const text = readSetting(config, mostBytes)
  if (text === null || setting.test(text) || depth > deepestInclude) return true
  if (!/\[\s*include/i.test(text)) return false
  const paths = [...text.matchAll(/^\s*path\s*=\s*"?(.*?)"?\s*$/gim)].map(([, path = '']) => path)
  return paths.some(path =>
    names(resolve(dirname(config), path.replace(/^~/, homedir())), setting, depth + 1),
  )
}

/** The rules every repository of this user has; empty where there are none. Null `user`: outside of all. */
export async function userRules(user: UserRepository | null): Promise<string> {
  const path = mayConfigure(user, /excludesfile/i) ? await configuredRules(user?.root ?? '/') : null
  // Git would not read one that is larger by far either.
  return readSetting(path ?? join(userDirectories()[0] ?? '', 'ignore'), mostBytes) ?? ''
}

/** Null where the setting is not set, or git cannot say. */
async function configuredRules(cwd: string): Promise<string | null> {
  const argv = ['git', 'config', '--type=path', '--get', 'core.excludesFile'] as const
  const env = Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG)/.test(name))
  const signal = AbortSignal.timeout(patienceMs)
  const asked = await exec({ argv, cwd, env: Object.fromEntries(env) as Record<string, string>, signal })
  // As git does, from the top of the work tree. Set to nothing it means: no file, not even the usual one.
  return asked.code === 0 ? resolve(cwd, asked.stdout.toString().replace(/\n$/, '')) : null
}

/**
 * Empty for what is not there or not to be read: git would not read it either. A pipe would be waited for for ever.
 * Null for what is larger than `most`.
 */
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
