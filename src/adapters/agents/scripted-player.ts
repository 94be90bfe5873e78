/**
 * A program: plays one turn of a script in the current directory, the turn of `$LOOP_ITERATION`.
 * A script is `turns:`, a list of turns, each a list of actions (the union below). Past the last turn it
 * says so and does nothing. Paths stay below the current directory.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import * as z from 'zod'
import { parseDuration } from '../../model/units.ts'

const path = z.string().transform((text, context) => {
  const inside = relative(process.cwd(), resolve(text))
  if (inside !== '' && !inside.startsWith('..')) return resolve(text)
  context.addIssue({ code: 'custom', message: `${text} is outside the work tree` })
  return z.NEVER
})

const action = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ wait: z.string().transform(text => parseDuration(text) ?? 0) }),
  z.strictObject({ write: z.strictObject({ path, text: z.string() }) }),
  z.strictObject({ replace: z.strictObject({ path, from: z.string(), to: z.string() }) }),
  z.strictObject({ delete: path }),
  z.strictObject({ run: z.string() }),
  z.strictObject({ usage: z.strictObject({ costUsd: z.number() }) }),
  z.strictObject({ exit: z.int() }),
])

const script = z.strictObject({ turns: z.array(z.array(action)) })

type Action = z.infer<typeof action>

async function playTurn(turn: Action[]): Promise<void> {
  for (const step of turn) await play(step)
}

async function play(step: Action): Promise<void> {
  if ('say' in step) console.log(step.say)
  else if ('wait' in step) await delay(step.wait)
  else if ('write' in step) {
    mkdirSync(dirname(step.write.path), { recursive: true })
    writeFileSync(step.write.path, step.write.text)
    console.log(`wrote ${relative(process.cwd(), step.write.path)}`)
  } else if ('replace' in step) replace(step.replace)
  else if ('delete' in step) rmSync(step.delete, { recursive: true, force: true })
  else if ('run' in step) spawnSync('/bin/sh', ['-c', step.run], { stdio: 'inherit' })
  else if ('usage' in step)
    writeFileSync(process.env['LOOP_USAGE_FILE'] ?? '/dev/null', JSON.stringify(step.usage))
  else process.exit(step.exit)
}

function replace(edit: { path: string; from: string; to: string }): void {
  const before = readFileSync(edit.path, 'utf8')
  if (!before.includes(edit.from)) {
    console.error(`scripted: ${edit.path} does not contain ${JSON.stringify(edit.from)}`)
    process.exit(1)
  }
  writeFileSync(
    edit.path,
    before.replace(edit.from, () => edit.to),
  )
  console.log(`edited ${relative(process.cwd(), edit.path)}`)
}

const file = process.argv[2] ?? ''
const parsed = script.safeParse(parse(readFileSync(file, 'utf8')))
if (!parsed.success) {
  console.error(`scripted: ${file} is not a script:\n${z.prettifyError(parsed.error)}`)
  process.exit(126)
}
const turn = parsed.data.turns[Number(process.env['LOOP_ITERATION'] ?? '1') - 1]
if (!turn) console.log('scripted: the script has no more turns')
void playTurn(turn ?? [])
