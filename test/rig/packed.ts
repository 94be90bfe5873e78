/**
 * The package as users get it: packed once for all tests of a process, and installed with npm under a prefix of its
 * own, as a plain user where the tests are root. The npm registry is not asked: the package depends on nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { root } from './rig.ts'

export type Packed = {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string; size: number; mode: number }[]
}

/** Packs what was built, or another package, into a directory. */
export function pack(into: string, from = root): Packed {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const said = execFileSync('npm', args, { cwd: from, encoding: 'utf8', env: npmEnv(into) })
  const parsed: Packed[] | Record<string, Packed> = JSON.parse(said)
  const [packed] = Object.values(parsed)
  if (!packed) throw new Error(`npm pack made nothing: ${said}`)
  return { ...packed, filename: join(into, packed.filename) }
}

function npmEnv(home: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  }
}

export type Said = { code: number | null; stdout: string; stderr: string }

export type Installed = {
  home: string
  prefix: string
  env: NodeJS.ProcessEnv
  /** Runs a program of the PATH, of the prefix first, in the home of that user. */
  run(program: string, ...args: string[]): Said
  /** The same, in a directory. */
  runIn(cwd: string, ...argv: string[]): Said
}

const nobody = 65534

/** An empty home of a plain user, with this Node and npm on its PATH and nothing installed. */
export function emptyHome(t: TestContext, node = dirname(process.execPath)): Installed {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loop-packed-')))
  t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))
  const [home, prefix] = [join(base, 'home'), join(base, 'prefix')]
  const isRoot = process.getuid?.() === 0
  chmodSync(base, 0o755)
  for (const dir of [home, prefix]) {
    mkdirSync(dir)
    if (isRoot) chownSync(dir, nobody, nobody)
  }
  // As on the PATH of a login that became another user.
  const closed = join(base, 'closed')
  mkdirSync(closed, { mode: isRoot ? 0o700 : 0 })
  const env: NodeJS.ProcessEnv = {
    ...npmEnv(home),
    HOME: home,
    PATH: [join(prefix, 'bin'), closed, node, process.env['PATH']].join(delimiter),
    TMPDIR: home,
  }
  const as = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'] : []
  const runIn: Installed['runIn'] = (cwd, ...argv) => {
    const [program = '', ...args] = [...as, ...argv]
    const options = { cwd, env, encoding: 'utf8', timeout: 180_000, input: '' } as const
    const { status, stdout, stderr, error } = spawnSync(program, args, options)
    if (error) throw new Error(`${argv.join(' ')}: ${error.message}\n${stdout}${stderr}`, { cause: error })
    return { code: status, stdout, stderr }
  }
  return { home, prefix, env, runIn, run: (...argv) => runIn(home, ...argv) }
}
