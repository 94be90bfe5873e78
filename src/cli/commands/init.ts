/**
 * `loop init <name>`: the directory of a run inside a session, and its marker. With a promise it is a loop of the
 * journal that only loop's own run completes; without one the session is held until its task list is done.
 */
import { randomBytes } from 'node:crypto'
import type { SessionLoop } from '../../core/session/stop.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { loopId } from '../../model/units.ts'
import { iterationsFrom } from '../../options/limits.ts'
import { resolveStart, type StartWish, treeFrom } from '../../options/resolve.ts'
import { commonFlags, initFlags } from '../../options/table/command.ts'
import { startFlags } from '../../options/table/start.ts'
import { type GivenValues, valuesOf } from '../../options/values.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { writeMarker } from '../../store/files/session-marker.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { configured } from '../config/configured.ts'
import { makeRun, otherMarker, program, sessionHere } from '../session/begin.ts'
import { startSession } from '../session/start-session.ts'
import { systemHere } from '../system.ts'
import { out } from '../terminal.ts'

const init: CommandRun = async input => {
  const [slug, ...more] = input.positionals
  if (!slug || more.length > 0) return fail('invalid-arguments', 'Name the run: loop init login-feature')
  const tree = treeFrom(input, systemHere(input))
  if (!tree.ok) return tree
  const busy = inTheWay(input, tree.value)
  if (!busy.ok) return busy
  const goal = input.value('goal') ?? slug
  const today = new Date().toISOString().slice(0, 10)
  const decided = input.given('promise') || input.given('confirm')
  const wish = decided ? await asStart(input, goal) : ok(null)
  if (!wish.ok) return wish
  const run = makeRun(tree.value, { slug, goal, today })
  if (!run.ok) return run
  if (!input.given('json')) out(`LOOP_DIR=${run.value}`)
  if (wish.value) {
    const { spec, injected } = wish.value
    return startSession({ spec: { ...spec, session: { run: run.value } }, injected }, input)
  }
  return tasksOnly(input, { tree: tree.value, goal, run: run.value })
}

/** The same flags, as `loop start --session` reads them. */
async function asStart(input: Input, goal: string): Promise<Result<StartWish>> {
  const given: GivenValues = new Map([['session', ['true']]])
  for (const { name } of [...initFlags, ...commonFlags])
    if (input.given(name)) given.set(name, input.values(name))
  const values = valuesOf([...startFlags, ...commonFlags], given, { env: input.env })
  const system = systemHere(input)
  const read = await configured({ ...input, ...values }, system)
  return read.ok ? resolveStart({ prompt: goal, values: read.value }, system) : read
}

function inTheWay(input: Input, tree: string): Result<null> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  const other = store.value?.heads.holder(tree, null)
  const way = 'End it with: loop cancel'
  if (other) return fail('tree-busy', `Loop ${other.id} is active in ${other.cwd}. ${way} ${other.id}`)
  const marker = otherMarker(paths, tree)
  if (!marker) return ok(null)
  return fail(
    'tree-busy',
    `A run is under way in ${tree}: ${marker.loop.run ?? '.loop/state.json'}. ${way} --session`,
  )
}

type Wish = { tree: string; goal: string; run: string }

function tasksOnly(input: Input, { tree, goal, run }: Wish): Result<number> {
  const limit = input.given('max-iterations') ? iterationsFrom(input) : ok(null)
  if (!limit.ok) return limit
  const loop: SessionLoop = {
    tree,
    session: sessionHere(input.env),
    id: null,
    spec: goal,
    criteria: [],
    status: 'in_progress',
    maxIterations: limit.value,
    budgetUsd: null,
    run,
    told: [],
  }
  writeMarker(pathsFrom(input.env), { name: `run-${loopId(randomBytes(6))}`, program, loop })
  if (input.given('json')) out(jsonText({ run }))
  else
    out(
      'Fill in _context.md there, then make the tasks: the session is held until all of them are completed.',
    )
  return ok(0)
}

export default init
