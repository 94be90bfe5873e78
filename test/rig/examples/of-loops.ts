/** The examples about loops, groups and loopd, and the loops that they are run with. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Rig, startArgs, until } from '../rig.ts'
import type { ExampleRuns, ExampleScene } from './run.ts'

/** Every iteration makes a file; the third is the last. */
export async function threeIterations(t: TestContext, rig: Rig): Promise<ExampleScene> {
  await rig.loop(startArgs('true', 'false', '-n', '1', '--plain', '--no-baseline'))
  const agent = 'seq -f "line %g" 50000; echo x > made-$LOOP_ITERATION'
  const ended = await rig.loop(startArgs(agent, 'test -e made-3', '--plain', '--json'))
  assert.equal(ended.code, 0, ended.stderr)
  const { id } = JSON.parse(ended.stdout)
  return { t, rig, words: { a1b2c3: id, 'status a1b': `status ${id.slice(0, 5)}` } }
}

export const looking: ExampleRuns = {
  'loop status': /^LOOP-ID .*\n\w{6} +completed +3\/10/m,
  'loop status a1b': /^loop \w{6}: completed/m,
  'loop status @last --json': /"status":"completed"/,
  'loop status -w': { sees: /loops {2}.*\n.*\n.*LOOP-ID/, types: 'q' },
  'loop watch @last': { sees: /^ loop \w{6} {2}completed/m, types: 'q' },
  'loop watch a1b2c3': { sees: /^ loop \w{6} {2}completed/m, types: 'q' },
  'loop watch a1b2c3 --plain': /^/,
  'loop watch a1b2c3 --json': /^\{.*"kind":"loop\.created"/,
  'loop list --status failed --since 7d': /^\w{6} +failed +1\/1/m,
  'loop list --json --limit 50': /^\[\{"id"/,
  'loop report': /completed|done/i,
  'loop report --since yesterday': /completed|done/i,
  'loop report --since 7d --json': /"done":\[\{"id"/,
  'loop logs @last': /^line 50000$/m,
  'loop logs a1b2c3 -f': /^line 50000$/m,
  'loop logs a1b2c3 --iteration 2': /^line 50000$/m,
  'loop logs a1b2c3 --promise': /promise: test -e made-3/,
  'loop logs a1b2c3 --announcements': /\[LOOP\] Iteration 3\/10/,
  'loop logs a1b2c3 --line 48210': /^> 48210 {2}line 48210$/m,
  [`loop logs a1b2c3 --json | jq -r '.text // empty'`]: /^line 50000$/m,
  'loop history @last': /^3 +iter-003 +PASS/m,
  'loop history a1b2c3 --diff 2': /^\+\+\+ b\/made-2$/m,
  'loop history a1b2c3 -v': /--- prompt of iteration 3/,
  'loop diff @last': /^\+\+\+ b\/made-1$/m,
  'loop diff a1b2c3 1..3 --after': /^\+\+\+ b\/made-3$/m,
  'loop export @last': /\.tar\.gz/,
  'loop export a1b2c3 -o report.tar.gz': /report\.tar\.gz/,
  'loop export a1b2c3 -o - | ssh host tar xz': /^/,
  'loop checkpoint a1b2c3': /mark-1/,
  'loop checkpoint @last before-the-rewrite': /before-the-rewrite/,
  'loop template create release-notes --from @last': /release-notes/,
  'loop gc --dry-run': /./,
  'loop gc --checkpoint-retention 7d': /./,
  'loop rollback a1b2c3 initial --dry-run': /delete {2}made-1/,
  'loop rollback a1b2c3 3': /iter-003/,
  'loop rollback a1b2c3 --undo': /./,
  'loop diff a1b2c3 initial..iter-002-after | git apply -R': /^/,
}

/** A loop in its first iteration, whose agent waits; its id. */
export async function atWork(rig: Rig): Promise<string> {
  const before = rig.loops().length
  rig.spawn(startArgs('touch made; exec sleep 60', 'false', '--plain', '--no-baseline'))
  return until('the agent', () => {
    const id = rig.loops()[before]
    return id !== undefined && existsSync(join(rig.tree, 'made')) && id
  })
}

/** A loop that rests; its id. */
async function resting(rig: Rig, ...args: string[]): Promise<string> {
  await rig.loop(
    startArgs('test ! -e "$ASIDE/go" || touch work', 'test -e work', '--plain', '--no-input', ...args),
  )
  return rig.loops().at(-1) ?? ''
}

const mayWork = ({ rig }: ExampleScene) => writeFileSync(join(rig.aside, 'go'), '')

const asking = async ({ rig, words }: ExampleScene) => {
  await rig.loop(
    startArgs('date +%N > work', 'test -e work', '--confirm', 'the button is large', '--no-input'),
  )
  words['a1b2c3'] = rig.loops().at(-1) ?? ''
}

export const steering: ExampleRuns = {
  'loop inject a1b2c3 "Focus on the UserService class"': /the agent will be told in iteration 2/,
  'loop inject @last --file ./hints.txt': /the agent will be told in iteration 2/,
  'echo "try mocking the database" | loop inject a1b2c3 -': /the agent will be told in iteration 2/,
  'loop pause a1b2c3': /pauses after this iteration/,
  'loop cancel a1b2c3': /cancelled/,
  'loop cancel @last --rollback': {
    sees: /cancelled/,
    async before({ rig }) {
      rmSync(join(rig.tree, 'made'))
      await atWork(rig)
    },
  },
  'loop resume @last': {
    sees: /completed: the promise holds/,
    async before(scene) {
      await resting(scene.rig, '--no-change-limit', '1')
      mayWork(scene)
    },
  },
  'loop resume a1b2c3 --max-iterations 20': {
    sees: /iterations {2}2 of 20/,
    async before({ rig, words }) {
      await rig.loop(startArgs('echo x >> lines', 'test "$(wc -l < lines)" = 2', '-n', '1', '--plain'))
      words['a1b2c3'] = rig.loops().at(-1) ?? ''
    },
  },
  'loop answer @last': { sees: /asks: is this so\? the button is large/, before: asking },
  'loop answer a1b2c3 "the button is too small"': /not confirmed: the button is large/,
  'loop answer a1b2c3 yes': { sees: /confirmed: the button is large/, before: asking },
}

export const attempts: ExampleRuns = {
  'loop compare @last': /^.*3-root-cause/m,
  'loop compare a1b2c3 --json': /"attempts":\[/,
  'loop pick a1b2c3 2': /2-tests-first is in the work tree/,
  'loop pick a1b2c3 3-root-cause --file src/cart.js': /src\/cart\.js/,
  'loop apply a1b2c3': {
    sees: /is in the work tree/,
    before: async ({ rig, words }) => void (await rig.loop(['rollback', words['a1b2c3'] ?? '', 'initial'])),
  },
  'loop apply a1b2c3 --theirs': {
    sees: /is in the work tree, and the promise holds there/,
    async before({ rig, words }) {
      await rig.loop(['rollback', words['a1b2c3'] ?? '', 'initial'])
      mkdirSync(join(rig.tree, 'src'), { recursive: true })
      rig.write('src/cart.js', 'mine\n')
    },
  },
}

export const daemon: ExampleRuns = {
  'loopd config set max_concurrent_loops 8': /max_concurrent_loops is now 8/,
  'loopd config get web_ui_port': /^\d+$/m,
  'loopd start': /process \d+/,
  'loopd status': /running \(process \d+\)/,
  'loopd status --json': /^\{/,
  'loop ui': { sees: /^/, before: ({ rig }) => void (rig.env['DISPLAY'] = ':0') },
  'loop ui --print': /^http:\/\/127\.0\.0\.1:\d+\//m,
  'loopd stop': /./,
  'loopd stop --now': { sees: /./, before: async ({ rig }) => void (await rig.loopd(['start'])) },
  // bash becomes the command; sh would end by the signal of Ctrl-C itself.
  'loopd start --foreground -v': { sees: /\(process \d+\)/, types: '\u0003', shell: ['bash', '-c'] },
  'loopd service install': /loopd\.service/,
  'loopd service print': /ExecStart=/,
}
