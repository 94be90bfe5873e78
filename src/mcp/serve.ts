/**
 * Serves the tools over stdin and stdout with the official SDK until the client closes its end. Only the protocol is
 * written to stdout; connection problems go to stderr. Secrets are removed from answers.
 */

import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { failureWords } from '../failures/words.ts'
import { type Failure, fail, type Result } from '../model/failure.ts'
import { version } from '../model/version.ts'
import { redactAll, secretsIn } from '../secrets/redact.ts'
import { type ToolContext, toolAnswers } from './answers.ts'
import { type Tool, tools } from './contract.ts'

const instructions = [
  'loop runs coding agents until a promise holds: a command that loop runs itself.',
  'To have work done, call start with a prompt and the command that decides, then look with status and criteria.',
  'Nothing you say completes a loop: only the commands of its criteria, passing when loop runs them, do.',
].join(' ')

/** More than any tool can use; a deep or endless value is refused before it is read. */
const mostElements = 2_000
const mostBytes = 4_000_000

/** Resolves when the client has gone; `tell` gets connection problems. */
export function serveTools(context: ToolContext, tell: (message: string) => void): Promise<void> {
  return new Promise(resolve => {
    const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: mostBytes })
    serveStdio(() => serverOf(context), { transport, onerror: error => tell(firstLine(error.message)) })
    const closed = transport.onclose
    Object.assign(transport, {
      onclose() {
        closed?.()
        resolve()
      },
    })
  })
}

function serverOf(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'loop', version },
    { capabilities: { tools: {} }, instructions, maxToolInputElements: mostElements },
  )
  const secrets = secretsIn(context.env)
  const answers = toolAnswers(context) as Record<string, (asked: unknown) => Promise<Result<object>>>
  for (const [name, tool] of Object.entries(tools) as [string, Tool][]) {
    const { title, description, input, output, hints } = tool
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations: hints },
      async asked => {
        const answer = await outcome(() => answers[name]?.(asked))
        return answer.ok ? good(redactAll(answer.value, secrets)) : bad(redactAll(answer.failure, secrets))
      },
    )
  }
  return server
}

/** An uncaught error fails this call and no other. */
async function outcome(answer: () => Promise<Result<object>> | undefined): Promise<Result<object>> {
  try {
    return (await answer()) ?? fail('internal', { kind: 'no-such-tool' })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail('internal', { kind: 'tool-broken', why })
  }
}

function good(value: object) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  }
}

/** Text only: a client checks structured content against the tool's output schema, which no error fits. */
function bad(failure: Failure) {
  return { isError: true, content: [{ type: 'text' as const, text: failureWords(failure) }] }
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200)
}
