/**
 * A program: plays one turn of a script (see script) in the current directory: the turn of `$LOOP_ITERATION`, for
 * the node `$LOOP_NODE` if the script has turns for it. After the last turn it says so and does nothing.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failureWords } from '../../failures/words.ts'
import { type Action, parseScript } from './script.ts'

async function playTurn(turn: Action[]): Promise<void> {
  for (const action of turn) await play(action)
}

async function play(action: Action): Promise<void> {
  switch (action.do) {
    case 'say':
      return console.log(action.with)
    case 'wait':
      return delay(action.with)
    case 'write':
      mkdirSync(dirname(action.with.path), { recursive: true })
      writeFileSync(action.with.path, action.with.text)
      return console.log(`wrote ${relative(process.cwd(), action.with.path)}`)
    case 'replace':
      return replace(action.with)
    case 'delete':
      return rmSync(action.with, { recursive: true, force: true })
    case 'run':
      spawnSync('/bin/sh', ['-c', action.with], { stdio: 'inherit' })
      return
    case 'usage':
      return writeFileSync(process.env['LOOP_USAGE_FILE'] ?? '/dev/null', JSON.stringify(action.with))
    case 'answer':
      return writeFileSync(process.env['LOOP_ANSWER_FILE'] ?? '/dev/null', JSON.stringify(action.with))
    case 'exit':
      return process.exit(action.with)
    default:
      return action satisfies never
  }
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
const script = parseScript(readFileSync(file, 'utf8'), file, process.cwd())
if (!script.ok) {
  console.error(`scripted: ${failureWords(script.failure)}`)
  process.exit(126) // as of a program that cannot be executed
}
const turns = script.value.nodes[process.env['LOOP_NODE'] ?? ''] ?? script.value.turns
const turn = turns[Number(process.env['LOOP_ITERATION'] ?? '1') - 1]
if (!turn) console.log('scripted: the script has no more turns')
playTurn(turn ?? []).catch((error: Error) => {
  console.error(`scripted: ${error.message}`)
  process.exit(1)
})
