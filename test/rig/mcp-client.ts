/** `loop mcp` in tests: the real program with the official client, or a bare pipe for invalid input. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { loopProgram, type Rig, until } from './rig.ts'

/** The answer of a tool: its value, or its failure. */
export type Answer = { text: string; value: Record<string, unknown>; refused: boolean }

export type Session = {
  client: Client
  pid: number
  call(tool: string, asked?: Record<string, unknown>): Promise<Answer>
  stderr(): string
  close(): Promise<void>
}

type Options = { env?: NodeJS.ProcessEnv; cwd?: string }

export async function connect(
  t: Pick<TestContext, 'after'>,
  rig: Rig,
  options: Options = {},
): Promise<Session> {
  const transport = new StdioClientTransport({
    command: loopProgram,
    args: ['mcp'],
    env: { ...rig.env, ...options.env } as Record<string, string>,
    cwd: options.cwd ?? rig.tree,
    stderr: 'pipe',
  })
  let said = ''
  ;(transport.stderr as Readable).setEncoding('utf8').on('data', text => {
    said += text
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  t.after(() => client.close())
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, asked = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: asked })
      const [first] = content as { text?: string }[]
      const value = (structuredContent ?? {}) as Record<string, unknown>
      return { text: first?.text ?? '', value, refused: isError === true }
    },
    stderr: () => said,
    close: () => client.close(),
  }
}

export type Pipe = {
  child: ChildProcess
  write(text: string): void
  /** The answers so far, each a line that must be JSON. */
  answers(): Record<string, unknown>[]
  answer(id: number): Promise<Record<string, unknown>>
  stderr(): string
  ended: Promise<number | null>
}

/** Raw bytes, for input that no client would send. */
export function pipe(t: Pick<TestContext, 'after'>, rig: Rig): Pipe {
  const child = spawn(loopProgram, ['mcp'], { cwd: rig.tree, env: rig.env, stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  // The program can end before it has read everything.
  child.stdin.on('error', () => {})
  const answers = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Record<string, unknown>)
  return {
    child,
    write: text => void child.stdin.write(text),
    answers,
    answer: id => until(`answer ${id}`, () => answers().find(answer => answer['id'] === id)),
    stderr: () => err,
    ended: new Promise(resolve => child.once('close', resolve)),
  }
}

export const opening = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  },
  { method: 'notifications/initialized' },
]
  .map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

export function callLine(id: number, name: string, asked: unknown): string {
  const params = { name, arguments: asked }
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`
}
