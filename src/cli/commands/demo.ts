/** `loop demo`: copies a sample project with a failing test suite and runs a real loop on it. */
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fail } from '../../model/failure.ts'
import { resolveStart } from '../../options/resolve.ts'
import { commonFlags } from '../../options/table/command.ts'
import { startFlags } from '../../options/table/start.ts'
import { valuesOf } from '../../options/values.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { systemHere } from '../system.ts'
import { err, out } from '../terminal.ts'
import { startLoop } from './start.ts'

const sample = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../../demo' : '../demo')

const demo: CommandRun = async input => {
  if (input.positionals.length > 0) return fail('invalid-arguments', 'loop demo takes no arguments.')
  const cwd = mkdtempSync(join(tmpdir(), 'loop-demo-'))
  cpSync(join(sample, 'project'), cwd, { recursive: true })
  if (!input.given('json')) err(introduction(cwd))
  const start = startInput(input, cwd)
  const prompt = 'Fix the failing tests of the shopping cart'
  const wish = resolveStart({ prompt, values: start }, systemHere(start))
  if (!wish.ok) return wish
  const ended = await startLoop(wish.value, start)
  if (ended.ok && !input.given('json')) out(whatNext(cwd))
  return ended
}

/** The same input that a person typing `loop start` would give. */
function startInput(input: Input, cwd: string): Input {
  const flags: [string, string[]][] = [
    ['promise', ['node --test']],
    ['agent', ['scripted']],
    ['agent-cmd', [join(sample, 'turns.yaml')]],
    ['cwd', [cwd]],
  ]
  for (const name of ['json', 'plain']) if (input.given(name)) flags.push([name, ['true']])
  // The promise is to find the Node that runs loop, also where the system has none.
  const path = [dirname(process.execPath), input.env['PATH']].filter(Boolean).join(delimiter)
  const env = { ...input.env, PATH: path }
  return { ...valuesOf([...startFlags, ...commonFlags], new Map(flags), { env }), positionals: [], env }
}

function introduction(cwd: string): string {
  return [
    `A sample project with a failing test suite is in ${cwd}.`,
    'The agent is a script that ships with loop; git, the processes, the promise and the checkpoints are real.',
    '',
  ].join('\n')
}

function whatNext(cwd: string): string {
  return [
    '',
    'What to type next:',
    '  loop status @last          what became of it',
    '  loop logs @last            what the agent said',
    `  cd ${cwd}   the mended project`,
    `  loop start "fix the failing tests" -p "npm test" --agent claude    or another agent: loop start --help`,
    '',
    'In a checkout, "loop" is ./bin/loop, or: npm install -g .',
  ].join('\n')
}

export default demo
