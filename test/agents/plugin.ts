/** The real Claude Code with loop's plugin, in a session of its own against a model server that plays turns. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Ended, type Running, root } from '../rig/rig.ts'
import type { ToolCall, Turn } from './model-server.ts'
import { type Place, placeFor } from './real.ts'

export type Session = Place & {
  /** Types a prompt and resolves when Claude Code ends. `more`: further arguments. */
  claude(prompt: string, more?: string[]): Promise<Claude>
  /** A session that stays open and reads lines of JSON on stdin. */
  talk(): Running
  /** The same without the flag that loads the plugin: only an installed plugin is there. */
  bare(prompt: string): Promise<Claude>
}

export type Claude = Ended & {
  id: string
  /** The messages of hooks to the user. */
  told: string[]
  /** How often a stop hook sent the session back to work. */
  blocks: number
  result: Record<string, unknown>
}

/** `tasks`: whether Claude Code has its task tools; newer versions come without. */
export async function sessionFor(
  t: Pick<TestContext, 'after'>,
  turns: Turn[],
  { tasks = true } = {},
): Promise<Session> {
  const place = await placeFor(t, 'claude', () => turns)
  const program = join(place.rig.env['PATH']?.split(':')[0] ?? '', 'claude')
  // Claude Code refuses to skip permissions as root; nothing here needs that.
  const flags = ['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events']
  const tools = tasks ? 'Bash,Write,TaskCreate,TaskUpdate' : 'Bash,Write'
  const allowed = ['--permission-mode', 'acceptEdits', '--allowedTools', tools]
  const plugin = ['--plugin-dir', join(root, 'plugins', 'claude-code'), '--strict-mcp-config']
  const set = tasks ? { CLAUDE_CODE_ENABLE_TASKS: '1', CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' } : {}
  const run = async (args: string[]) => {
    return read(await place.rig.spawn([...flags, ...args], { program, env: set }).ended)
  }
  return {
    ...place,
    claude: (prompt, more = []) => run([...plugin, ...more, ...allowed, '--', prompt]),
    talk: () =>
      place.rig.spawn([...flags, '--input-format', 'stream-json', ...plugin, ...allowed], {
        program,
        env: set,
        stdin: true,
      }),
    bare: prompt => run([...allowed, '--', prompt]),
  }
}

function read(ended: Ended): Claude {
  const events = ended.stdout.split('\n').flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
  const of = (type: string, subtype?: string) =>
    events.filter(event => event.type === type && (subtype === undefined || event.subtype === subtype))
  const stops = of('system', 'hook_response').filter(event => event.hook_event === 'Stop')
  return {
    ...ended,
    id: of('system', 'init')[0]?.session_id ?? '',
    told: of('system', 'informational').map(event => event.content),
    blocks: stops.filter(event => event.stdout.includes('"decision":"block"')).length,
    result: of('result').at(-1) ?? {},
  }
}

export function bash(command: string): ToolCall {
  return { name: 'Bash', input: { command, description: 'work' } }
}

/** Changes the state file, as an agent does; `change` is JavaScript on `s`, without single quotes. */
export function write(change: string): ToolCall {
  const file = '".loop/state.json"'
  return bash(
    `node -e 'const s = JSON.parse(fs.readFileSync(${file})); ${change}; fs.writeFileSync(${file}, JSON.stringify(s))'`,
  )
}

/** Claims that all is done. */
export const claimUnit = write('s.criteriaStatus.unit = true; s.exit_signal = true')

/**
 * Switches off hooks by a command that Claude Code does not recognize: it asks before a plain write to its settings.
 */
export const hooksOff = bash(
  `node -e 'fs.mkdirSync(".claude", { recursive: true }); fs.writeFileSync(".claude/settings.local.json", JSON.stringify({ disableAllHooks: true }))'`,
)

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
