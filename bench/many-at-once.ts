/**
 * The time that a group adds to its loops: three attempts whose agents only wait, beside the slowest of them alone; and
 * a workflow of 20 loops whose agents do nothing, beside the same 20 loops started by a shell script.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { interleaved, loopProgram, makePlace, ms, type Place, printTable, runOrThrow } from './measure.ts'

const rounds = Number(process.env['LOOP_BENCH_ROUNDS'] ?? 3)
const loops = 20

export function manyAtOnce(): void {
  const place = makePlace()
  try {
    for (let i = 0; i < 300; i += 1) writeFileSync(join(place.tree, `file-${i}`), `content ${i}\n`)
    printTable([bestOf(place), workflow(place)])
  } finally {
    place.dispose()
  }
}

const start = [loopProgram, 'start', 'x', '--no-baseline', '--json', '--agent', 'custom', '--agent-cmd']

function bestOf({ tree, env }: Place) {
  const agent = 'case ${LOOP_ATTEMPT:-3} in 1) sleep 2;; 2) sleep 3;; *) sleep 4;; esac; date +%N > made'
  const argv = [...start, agent, '-p', 'test -f made']
  const run = (more: string[]) => {
    runOrThrow(['rm', '-f', 'made'], { cwd: tree, env })
    runOrThrow([...argv, ...more], { cwd: tree, env })
  }
  const { group = 0, alone = 0 } = interleaved(rounds, {
    group: () => run(['--best-of', '3']),
    alone: () => run([]),
  })
  return rowOf('--best-of 3, agents that wait 2, 3 and 4 s', { ours: group, theirs: alone })
}

/** A chain: each loop needs the one before it, like the lines of a script. */
function workflow({ tree, env }: Place) {
  const file = join(dirname(tree), 'flow.yaml')
  const loop = (i: number) =>
    `  - id: l${i}\n    prompt: x\n    promise: "true"\n    no_baseline: true\n${i > 0 ? `    depends_on: [l${i - 1}]\n` : ''}`
  writeFileSync(file, `name: twenty\nloops:\n${Array.from({ length: loops }, (_, i) => loop(i)).join('')}`)
  const flow = [loopProgram, 'workflow', 'run', file, '--json', '--agent', 'custom', '--agent-cmd', 'true']
  const one = `'${loopProgram}' start x --no-baseline --json --agent custom --agent-cmd true -p true > /dev/null`
  const script = `i=0; while [ $i -lt ${loops} ]; do ${one} || exit 1; i=$((i + 1)); done`
  const { ours = 0, theirs = 0 } = interleaved(rounds, {
    ours: () => void runOrThrow(flow, { cwd: tree, env }),
    theirs: () => void runOrThrow(['sh', '-c', script], { cwd: tree, env }),
  })
  return rowOf(`a workflow of ${loops} loops, beside a shell script`, { ours, theirs })
}

function rowOf(work: string, { ours, theirs }: { ours: number; theirs: number }) {
  return { what: work, loop: ms(ours), instead: ms(theirs), ratio: (ours / theirs).toFixed(2) }
}
