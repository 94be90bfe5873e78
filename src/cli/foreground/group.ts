/**
 * A group in the foreground, or given to loopd: its lines and its members' lines, the rows at the bottom while it runs (one
 * for each running loop, at most three), signals, questions, receipt, exit code.
 */

import type { GroupKinds } from '../../core/group/machine.ts'
import { hooksLeft, openGate } from '../../core/group/state.ts'
import { costTogether, summarizeGroup } from '../../core/group/summary.ts'
import { questionOf } from '../../core/group/values.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { type Driven, drive, submit } from '../../engine/drive.ts'
import { createGroup, leaveJournal, queueGroup } from '../../engine/host.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { Priority } from '../../model/loop/spec.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { hung } from '../../views/layout/columns.ts'
import { laneLines } from '../../views/screen/live.ts'
import { stepWord } from '../../views/screen/loop-list.ts'
import { groupClosing } from '../../views/screen/start/group-closing.ts'
import { announce, announceTask } from '../../views/text/announce.ts'
import { announceGroup, groupReceipt } from '../../views/text/group-announce.ts'
import { answerForm, isDefaultYes } from '../../views/words/group.ts'
import { exitCodeFor } from '../../views/words/message.ts'
import { runQuestions } from '../../views/words/questions.ts'
import { withWorld } from '../../wiring/world.ts'
import type { Input } from '../command-table.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { stateDocument } from '../print-state.ts'
import { err, out, outDocument, outLines, pinRows, terminalColumns } from '../terminal.ts'
import { listenToSignals, upkeep } from './drive.ts'
import { hasFace, viewOf } from './face.ts'
import { groupFace } from './group-face.ts'
import { liveTerminal } from './live.ts'
import { askLine, isAttended, whoAnswers } from './question.ts'

export function startGroup(spec: GroupSpec, input: Input): Promise<Result<number>> {
  return withWorld(input.env, async world => {
    const group = createGroup(world, spec)
    return group.ok ? runGroup(group.value, input) : group
  })
}

export async function startGroupInBackground(
  spec: GroupSpec,
  priority: Priority,
  input: Input,
): Promise<Result<number>> {
  const id = queueTheGroup(spec, priority, input.env)
  return id.ok ? underDaemon(id.value, input, 'group') : id
}

/** The group is recorded first and waits, whatever happens to loopd. Returns its id. */
export function queueTheGroup(spec: GroupSpec, priority: Priority, env: NodeJS.ProcessEnv): Result<string> {
  const meant = mayHandOver(env)
  if (!meant.ok) return meant
  const store = openStore(pathsFrom(env))
  if (!store.ok) return store
  const world = { store: store.value, now: Date.now }
  const id = queueGroup(world, { spec: { ...spec, attended: false }, env }, priority)
  store.value.close()
  return ok(id)
}

type Group = Driven<GroupKinds>

export async function runGroup(group: Group, input: Input): Promise<Result<number>> {
  const leave = new AbortController()
  const told = group.state.spec.notify ? (await import('./notify.ts')).telling(group) : null
  const stops = [
    ...(told ? [told.stop] : []),
    listenToSignals(group, leave, () => hooksLeft(group.state).length > 0).forget,
    ...(input.given('json') ? [] : [show(group, input)]),
    asking(group, input),
  ]
  try {
    await drive(group, leave.signal)
    leaveJournal(group)
  } finally {
    for (const stop of stops) stop()
  }
  const code = report(group, input)
  await told?.end()
  await upkeep(group.world)
  return code
}

/** On a terminal what a person needs; otherwise, and with -v, everything. */
function show(group: Group, input: Input): () => void {
  return hasFace(input) ? groupFace(group, input) : announced(group, input)
}

/** Each line of a member starts with the name of its node. */
function announced(group: Group, input: Input): () => void {
  const secrets = secretsIn(input.env)
  const { feed } = group.world
  const columns = () => (liveTerminal(input).tty ? terminalColumns() : null)
  const print = (lines: string[]) => {
    for (const line of redactAll(lines, secrets)) for (const row of hung(line, columns())) err(row)
  }
  for (const line of announceGroup(createdOf(group), group.state)) err(line)
  const lanes = groupLanes(group, input)
  const forgets = [
    lanes.stop,
    feed.subscribe<'group'>(group.state.id, ({ event, state }) => print(announceGroup(event, state))),
    feed.subscribe({ of: 'loop' }, ({ event, state, before }) => {
      const node = group.state.nodes.find(({ member }) => member === event.loop)?.node.id
      if (node === undefined) return
      lanes.heard(state)
      if (event.kind === 'loop.created') return
      const said = group.state.spec.plan ? announceTask(event, state) : announce(event, state, before)
      const lines = said.map(line => line.trim()).filter(isForGroup)
      print(lines.map(line => `[${node}] ${line}`))
    }),
  ]
  return () => {
    for (const forget of forgets) forget()
  }
}

/** With several members, details of their work would hide their results: see `loop logs`. */
function isForGroup(line: string): boolean {
  return !line.startsWith('│') && !line.startsWith('checkpoint ')
}

/** For the first line, also if the group existed before. */
function createdOf({ state, epoch }: Group) {
  const { id: loop, seq, createdAt: at, spec } = state
  return { kind: 'group.created', data: { spec }, v: 1, seq, at, loop, epoch, cause: null } as const
}

function report({ state, world }: Group, input: Input): Result<number> {
  const summary = summarizeGroup(state)
  const code = exitCodeFor(summary)
  const secrets = secretsIn(input.env)
  if (input.given('json')) {
    outDocument<'loop'>(stateDocument(world, summary, { exitCode: code }))
  } else if (hasFace(input)) {
    const lines = groupClosing(state, shownWhole(world.store, summary), viewOf(input))
    out(redactAll(lines, secrets).join('\n'))
  } else
    outLines(['', ...redactAll(groupReceipt(state, shownWhole(world.store, summary), world.now()), secrets)])
  return ok(code)
}

/** Returns a function that stops asking. */
function asking(group: Driven<GroupKinds>, input: Input): () => void {
  if (!isAttended(input)) return () => {}
  let asked: string | null = null
  let current = new AbortController()

  const put = async (signal: AbortSignal): Promise<void> => {
    const gate = openGate(group.state)
    if (!gate) return
    const words = `${questionOf(group.state)} ${answerForm(gate.node)} `
    const line = await askLine(words, signal)
    if (signal.aborted) return
    if (line === null) return err(runQuestions.untypable(group.state.id))
    const text = line.trim() === '' && isDefaultYes(gate.node) ? 'yes' : line.trim()
    if (text === '') return put(signal)
    submit(group, { kind: 'answer', by: whoAnswers(input), text })
  }

  /** `again`: the same question, because its answer was refused. */
  const look = (again: boolean) => {
    const gate = openGate(group.state)
    const name = gate && `${gate.node.id} ${gate.attempt}`
    if (name === asked && !again) return
    current.abort()
    current = new AbortController()
    asked = name
    put(current.signal).catch((error: Error) => err(runQuestions.unaskable(group.state.id, error.message)))
  }

  const forget = group.world.feed.subscribe(group.state.id, ({ event }) =>
    look(event.kind === 'command.refused'),
  )
  look(false)
  return () => {
    forget()
    current.abort()
  }
}

const tickMs = 200

/** `heard`: the current state of a loop of the group. */
function groupLanes(group: Group, input: Input): { heard(state: State): void; stop(): void } {
  const terminal = liveTerminal(input)
  if (!terminal.tty) return { heard() {}, stop() {} }
  const members = new Map<string, { state: State; word: string; since: number }>()
  let frame = 0
  const timer = setInterval(() => {
    frame += 1
    // A question appears in the place of the rows.
    const isAsking = openGate(group.state) !== null
    pinRows(
      isAsking
        ? []
        : laneLines(lanesOf(group, members), { look: terminal, width: terminalColumns() - 1, frame }),
    )
  }, tickMs)
  timer.unref()
  return {
    heard(state) {
      const word = stepWord(state)
      const before = members.get(state.id)
      members.set(state.id, { state, word, since: before?.word === word ? before.since : performance.now() })
    },
    stop() {
      clearInterval(timer)
      pinRows([])
    },
  }
}

function lanesOf(
  { state: group }: Group,
  members: ReadonlyMap<string, { state: State; word: string; since: number }>,
): Parameters<typeof laneLines>[0] {
  const own = summarizeGroup(group)
  const running: Summary[] = []
  const lanes = group.nodes.flatMap(({ node, member, stage }) => {
    const known = member === null ? undefined : members.get(member)
    if (!known || stage === 'ended' || stage === 'skipped') return []
    const summary = summarize(known.state)
    running.push(summary)
    const { iteration: n, maxIterations: most, criteria } = summary
    const failing = Object.values(criteria).flatMap(({ evidence }) => evidence?.failing ?? [])
    const sinceMs = performance.now() - known.since
    return [
      {
        name: node.id,
        word: known.word,
        sinceMs,
        iteration: n,
        maxIterations: most,
        failing: failing[0] ?? null,
      },
    ]
  })
  // The row of the group counts the loops that have ended.
  const spent = costTogether([{ ...own, iteration: 0 }, ...running])
  return {
    lanes,
    over: own.iteration,
    all: own.maxIterations ?? 0,
    cost: { ...spent, budgetUsd: own.budgetUsd },
  }
}
