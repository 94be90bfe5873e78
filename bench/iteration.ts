/**
 * The time that loop adds to one iteration (checkpoint, shim, journal) over the shell loop people write instead:
 * `while ! promise; do agent; done`. Both have the same agent and promise. The time of 11 iterations minus that of one,
 * divided by ten: start-up cancels out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from '../src/model/loop/event.ts'
import { pathsFrom } from '../src/store/files/paths.ts'
import { openStoreToRead } from '../src/store/sqlite/open.ts'
import {
  interleaved,
  loopProgram,
  makePlace,
  median,
  ms,
  type Place,
  printTable,
  runOrThrow,
} from './measure.ts'

const agent = 'echo x >> work'
/** Prints fewer failing tests each time, as a test runner would: loop stops a loop that makes no progress. */
const promise = (n: number) =>
  `N=$(wc -l < work); echo "# tests ${n}"; echo "# fail $((${n} - N))"; test "$N" -ge ${n}`
const many = 11

export async function iteration(): Promise<void> {
  const place = makePlace()
  for (let i = 0; i < 300; i += 1) writeFileSync(join(place.tree, `file-${i}`), `content ${i}\n`)
  runOrThrow(['git', 'init', '-q'], { cwd: place.tree, env: place.env })
  const medians = interleaved(7, {
    'shell 1': () => shell(place, 1),
    'loop 1': () => loop(place, 1),
    'shell 11': () => shell(place, many),
    'loop 11': () => loop(place, many),
    'loop 11, no checkpoints': () => loop(place, many, '--checkpoint', 'none'),
  })
  const each = (name: string) => ((medians[`${name} 11`] ?? 0) - (medians[`${name} 1`] ?? 0)) / (many - 1)
  const bare = each('shell')
  const ours = each('loop')
  printTable([
    { what: 'shell loop, per iteration', time: ms(bare), ratio: '1.0' },
    { what: 'loop, per iteration', time: ms(ours), ratio: (ours / bare).toFixed(1) },
    { what: 'overhead (bar: 60 ms)', time: ms(ours - bare), ratio: '' },
  ])
  printTable(split(place))
  place.dispose()
}

function shell({ tree, env }: Place, n: number): void {
  const script = `: > work; while ! sh -c '${promise(n)}' > out; do sh -c '${agent}'; done`
  runOrThrow(['/bin/sh', '-c', script], { cwd: tree, env })
}

function loop({ tree, env }: Place, n: number, ...more: string[]): void {
  writeFileSync(join(tree, 'work'), '')
  const fixed = ['--agent', 'custom', '--agent-cmd', agent, '-n', '20', '--json', '--no-baseline']
  runOrThrow([loopProgram, 'start', 'x', '-p', promise(n), ...fixed, ...more], { cwd: tree, env })
}

/** Where the time of the newest loop with checkpoints went, from the times of its own events. */
function split({ env }: Place): Record<string, string | number>[] {
  const opened = openStoreToRead(pathsFrom(env))
  const store = opened.ok ? opened.value : null
  if (!store) throw new Error('no store')
  const journals = store.heads
    .list({ all: {} })
    .summaries.filter(({ iteration: n }) => n === many)
    .map(({ id }) => store.journals.read(id))
  const events = journals.find(found => found.ok && usesGit(found.value))
  if (!events?.ok) throw new Error('no loop to look at')
  const spans = new Map<string, number[]>()
  events.value.forEach((event, i) => {
    const before = events.value[i - 1]
    if (before) spans.set(nameOf(event), [...(spans.get(nameOf(event)) ?? []), sinceOf(event, before)])
  })
  return [...spans].map(([kind, times]) => ({ what: `until ${kind}`, time: ms(median(times)), ratio: '' }))
}

function usesGit([first]: Recorded[]): boolean {
  return first?.kind === 'loop.created' && first.data.spec.checkpoint === 'git'
}

function nameOf(event: Recorded): string {
  if (event.kind !== 'checkpoint.taken') return event.kind
  return event.data.name.endsWith('-after') ? 'checkpoint after' : 'checkpoint before'
}

function sinceOf(event: Recorded, before: Recorded): number {
  return event.at - before.at
}
