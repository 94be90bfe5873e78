/** The stop hook of a session, as its host calls it, against a bash and jq script of the same rules. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  interleaved,
  loopProgram,
  makePlace,
  ms,
  type Place,
  printTable,
  root,
  runOrThrow,
} from './measure.ts'

const ours = join(root, 'plugins', 'claude-code', 'hooks', 'loop.sh')
const theirs = join(root, 'bench', 'stop-check.sh')

export async function hook(): Promise<void> {
  const place = makePlace()
  const idle = interleaved(100, {
    'bash + jq': () => call(place, ['bash', theirs]),
    loop: () => call(place, ['sh', ours, 'stop']),
  })
  report('nothing to do (bar: 1.5)', idle)
  const start = ['start', 'x', '--session', '-p', 'unit=false', '-n', 'unlimited', '--no-baseline']
  runOrThrow([loopProgram, ...start], { cwd: place.tree, env: place.env })
  const counter = join(place.env['HOME'] ?? '', '.local/share/daedalos/loop/sessions')
  mkdirSync(counter, { recursive: true })
  const held = interleaved(50, {
    'bash + jq': () => blocked(call(place, ['bash', theirs])),
    loop: () => blocked(call(place, ['sh', ours, 'stop'])),
  })
  report('a loop under way: held (bar: 3)', held)
  rmSync(counter, { recursive: true })
  place.dispose()
}

function call({ tree, env }: Place, [program = '', ...args]: string[]): string {
  const input = JSON.stringify({
    session_id: 's1',
    cwd: tree,
    hook_event_name: 'Stop',
    stop_hook_active: false,
  })
  return spawnSync(program, args, { cwd: tree, env, input, encoding: 'utf8' }).stdout
}

/** Throws if the hook did not hold the session: only runs that do the whole work are measured. */
function blocked(said: string): void {
  if (JSON.parse(said).decision !== 'block') throw new Error(`It was not held: ${said}`)
}

function report(what: string, medians: Record<string, number>): void {
  const bare = medians['bash + jq'] ?? 1
  console.log(what)
  printTable(
    Object.entries(medians).map(([name, time]) => ({
      what: name,
      time: ms(time),
      ratio: (time / bare).toFixed(2),
    })),
  )
}
