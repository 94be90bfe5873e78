/**
 * `loop init <name>`: creates the directory of a run inside a session, and its marker. With a promise it is a loop
 * with a journal, which only loop's own run completes; without one the session is held until its task list is done.
 */
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { readPlain } from '../../adapters/tree-file.ts'
import { preWorkProblems, readShapeFile } from '../../core/plan/shape-file.ts'
import type { SessionLoop } from '../../core/session/stop.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { loopId } from '../../model/units.ts'
import { iterationsFrom } from '../../options/limits.ts'
import { resolveStart, type StartWish, treeFrom } from '../../options/resolve.ts'
import { commonFlags, initFlags } from '../../options/table/command.ts'
import { startFlags } from '../../options/table/start.ts'
import { type GivenValues, valuesOf } from '../../options/values.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { writeMarker } from '../../store/files/session-marker.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { taskWords } from '../../views/words/done.ts'
import { preWorkWords } from '../../views/words/plan.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { configured } from '../config.ts'
import { trustShape } from '../plan/shape-here.ts'
import { hostField, makeRun, otherMarker, program, sessionHere } from '../session/begin.ts'
import { unrecordedJson } from '../session/here.ts'
import { startSession } from '../session/start-session.ts'
import { listNamed } from '../session/task-list.ts'
import { systemHere } from '../system.ts'
import { out, outFor } from '../terminal.ts'

const init: CommandRun = async input => {
  const [slug, ...more] = input.positionals
  if (!slug || more.length > 0) return invalid({ kind: 'run-name-missing' })
  const tree = treeFrom(input, systemHere(input))
  if (!tree.ok) return tree
  const busy = inTheWay(input, tree.value)
  if (!busy.ok) return busy
  const goal = input.value('goal') ?? slug
  const today = new Date().toISOString().slice(0, 10)
  const shape = input.given('shape') ? shapeValues(tree.value, input) : ok(null)
  if (!shape.ok) return shape
  const decided = input.given('promise') || input.given('confirm') || shape.value !== null
  const wish = decided ? await asStart(input, goal, shape.value) : ok(null)
  if (!wish.ok) return wish
  const run = makeRun(tree.value, { slug, goal, today })
  if (!run.ok) return run
  if (!input.given('json')) out(`LOOP_DIR=${run.value}`)
  const list = listFor(input, { tree: tree.value, slug })
  if (!list.ok) return list
  if (wish.value) {
    const { spec, injected } = wish.value
    return startSession({ spec: { ...spec, session: { run: run.value } }, injected, ...list.value }, input)
  }
  return tasksOnly(input, { tree: tree.value, goal, run: run.value, ...list.value })
}

/**
 * The requested task list, bound from the start; without a request the session's own list is bound once it has
 * tasks.
 */
function listFor(
  input: Input,
  { tree, slug }: { tree: string; slug: string },
): Result<{ taskList?: string }> {
  const typed = input.value('task-list')
  if (typed === null) return ok({})
  const taskList = typed === '' ? null : listNamed({ typed, tree, slug }, input.env)
  if (taskList === null) return invalid({ kind: 'bad-task-list' })
  if (!input.given('json')) out(`LOOP_TASKS=${basename(taskList)}`)
  return ok({ taskList })
}

/** `trust` here is about SHAPE.md: it does not trust the configuration of the work tree too. */
const ofInit = ['shape', 'task-list', 'trust']

/** The same flags, as `loop start --session` reads them. */
async function asStart(
  input: Input,
  goal: string,
  shape: Map<string, string[]> | null,
): Promise<Result<StartWish>> {
  const given: GivenValues = new Map([['session', ['true']]])
  for (const { name } of [...initFlags, ...commonFlags])
    if (input.given(name) && !ofInit.includes(name)) given.set(name, input.values(name))
  for (const [name, values] of shape ?? [])
    if (values.length > 0) given.set(name, [...(given.get(name) ?? []), ...values])
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
  if (other) return fail('tree-busy', { kind: 'tree-taken', id: other.id, cwd: other.cwd })
  const marker = otherMarker(paths, tree)
  if (!marker) return ok(null)
  return fail('tree-busy', { kind: 'run-under-way', tree, run: marker.loop.run ?? '.loop/state.json' })
}

type Wish = { tree: string; goal: string; run: string; taskList?: string }

function tasksOnly(input: Input, { tree, goal, run, taskList }: Wish): Result<number> {
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
    ...(taskList !== undefined && { taskList }),
    ...hostField(input.env),
  }
  writeMarker(pathsFrom(input.env), { name: `run-${loopId(randomBytes(6))}`, program, loop })
  outFor<'sessionRun'>(input, unrecordedJson(loop), taskWords.prepared)
  return ok(0)
}

export default init

/** The values by flag: promise, confirm, must-not. The user has to trust the file, whoever wrote it. */
function shapeValues(tree: string, input: Input): Result<Map<string, string[]>> {
  const directory = join(tree, '.loop', 'shape')
  const found = readPlain(directory, 'SHAPE.md')
  if (typeof found === 'string') return invalid({ kind: 'no-shape', isAbsent: found === 'absent' })
  const shape = readShapeFile(found.text)
  if (!shape) return invalid({ kind: 'shape-without-criteria' })
  const problems = preWorkProblems(shape).map(preWorkWords)
  const unquotable = [...shape.criteria, ...shape.mustNot].find(({ name }) => name.includes('"'))
  if (unquotable) problems.push(`The name ${unquotable.name} has a quotation mark; write it without.`)
  if (problems.length > 0) return invalid({ kind: 'shape-not-ready', problems })
  const trusted = trustShape({ path: join(directory, 'SHAPE.md'), text: found.text }, shape, input)
  if (!trusted.ok) return trusted
  const { criteria, mustNot } = shape
  return ok(
    new Map([
      [
        'promise',
        criteria.flatMap(({ name, command, verification }) =>
          command === null ? [] : `"${name}":${verification}=${command}`,
        ),
      ],
      ['confirm', criteria.flatMap(({ name, command }) => (command === null ? name : []))],
      ['must-not', mustNot.map(({ name, command }) => `"${name}"=${command}`)],
    ]),
  )
}
