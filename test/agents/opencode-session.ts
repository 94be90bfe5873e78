/**
 * A session of the real opencode with the plugin of loop, against the model server of a test: as `opencode run`, and as
 * `opencode serve` with its HTTP API, which the screen of opencode uses too.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { loopProgram, readOr, until } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import { type Edit, type Place, placeFor } from './real.ts'

/** A `loop` that calls the real program and logs each question of the plugin and its answer, one line each. */
const witness = (log: string) => `#!/bin/sh
asked=$(cat)
printf 'asked %s %s\\n' "$2" "$asked" >> '${log}'
said=$(printf %s "$asked" | '${loopProgram}' "$@")
printf 'said %s %s\\n' "$2" "$said" >> '${log}'
printf %s "$said"
`

/** The questions to the hook and its answers: `asked stop {…}`, `said stop {…}`. */
export function witnessed({ rig }: Place): string[] {
  return readOr(join(rig.aside, 'hook.log')).split('\n').slice(0, -1)
}

/** A place with the plugin installed. */
export async function withPlugin(
  t: Pick<TestContext, 'after'>,
  turns: (edit: Edit) => Turn[],
): Promise<Place> {
  const place = await placeFor(t, 'opencode', turns)
  const { rig } = place
  const installed = await rig.loop(['plugin', 'install', 'opencode'])
  if (installed.code !== 0) throw new Error(installed.stderr)
  const program = join(rig.aside, 'witness')
  writeFileSync(program, witness(join(rig.aside, 'hook.log')), { mode: 0o755 })
  rig.env['LOOP_PROGRAM'] = program
  sparePackage(join(rig.env['HOME'] ?? '', '.config', 'opencode'))
  return place
}

/** Beside a plugin opencode installs a package of types from the network, unless the package is there. */
export function sparePackage(config: string): void {
  const dependencies = { '@opencode-ai/plugin': '*' }
  mkdirSync(join(config, 'node_modules'), { recursive: true })
  writeFileSync(join(config, 'package.json'), JSON.stringify({ dependencies }))
  const lock = { name: 'opencode', lockfileVersion: 3, requires: true, packages: { '': { dependencies } } }
  writeFileSync(join(config, 'package-lock.json'), JSON.stringify(lock))
}

/** `opencode run`, as a person would type it; resolves at its end. */
export function run({ rig }: Place, prompt: string, env: NodeJS.ProcessEnv = {}) {
  const argv = ['env', 'opencode', 'run', '--title', 'test', '--auto', prompt]
  const [program = '', ...args] = argv
  return rig.spawn(args, { program, env }).ended
}

export type Server = {
  session(): Promise<string>
  prompt(session: string, text: string): Promise<void>
  /** Every text of the session so far, with the role that wrote it. */
  said(session: string): Promise<string[]>
  /** Resolves when the session has nothing more to do, and loop has nothing more to ask. */
  idle(session: string): Promise<void>
  ask(method: string, path: string, body?: object): Promise<unknown>
}

type Message = { info: { role: string }; parts: { type: string; text?: string; ignored?: boolean }[] }

/** `opencode serve`; resolves once it has printed its address. */
export async function serve(t: Pick<TestContext, 'after'>, { rig }: Place): Promise<Server> {
  const child = spawn('opencode', ['serve', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: rig.tree,
    env: rig.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  const base = await address(child)
  const where = `directory=${encodeURIComponent(rig.tree)}`
  const ask: Server['ask'] = async (method, path, body) => {
    const response = await fetch(`${base}${path}?${where}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  return {
    ask,
    session: async () => String(((await ask('POST', '/session', { title: 'test' })) as { id: string }).id),
    prompt: async (id, text) => {
      await ask('POST', `/session/${id}/prompt_async`, { parts: [{ type: 'text', text }] })
    },
    said: async id => ((await ask('GET', `/session/${id}/message`)) as Message[]).flatMap(wordsOf),
    idle: async id => {
      const busy = async () => (await ask('GET', '/session/status')) as Record<string, unknown>
      await until('the session to be idle', async () => !(await busy())[id], 120_000)
    },
  }
}

function wordsOf({ info, parts }: Message): string[] {
  return parts.flatMap(({ type, text, ignored }) =>
    type === 'text' && text && !ignored ? `${info.role}: ${text}` : [],
  )
}

function address(child: ChildProcess): Promise<string> {
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  return until('opencode to serve', () => /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1], 120_000)
}
