/** Drives a group in the foreground: its lines and its members' lines, signals, receipt, exit code. */
import type { GroupKinds } from '../../core/group/machine.ts'
import { hooksLeft, openGate } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { questionOf } from '../../core/group/values.ts'
import { loopJson } from '../../documents/loop.ts'
import { type Driven, drive, submit } from '../../engine/drive.ts'
import { leaveJournal } from '../../engine/host.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import type { World } from '../../engine/world.ts'
import { ok, type Result } from '../../model/failure.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { hung } from '../../views/layout/columns.ts'
import { announce, announceTask } from '../../views/text/announce.ts'
import { announceGroup, groupReceipt } from '../../views/text/group-announce.ts'
import { answerForm, isDefaultYes } from '../../views/words/group.ts'
import { exitCodeFor } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { liveTerminal } from '../foreground/live.ts'
import { askLine, isAttended, whoAnswers } from '../foreground/question.ts'
import { upkeep } from '../foreground/upkeep.ts'
import { err, outDocument, outLines, terminalColumns } from '../terminal.ts'
import { groupLanes } from './lanes.ts'

type Group = Driven<GroupKinds>

const secondInterruptMs = 10_000

export async function runGroup(group: Group, input: Input): Promise<Result<number>> {
  const leave = new AbortController()
  const told = group.state.spec.notify ? (await import('../foreground/notify.ts')).telling(group) : null
  const stops = [
    ...(told ? [told.stop] : []),
    listen(group, leave),
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

/**
 * The first Ctrl-C lets all members rest after their iterations, a second one within ten seconds ends them. While
 * only a hook is left, the first one stops it.
 */
function listen(group: Group, leave: AbortController): () => void {
  let interruptedAt = Number.NEGATIVE_INFINITY
  const onInterrupt = () => {
    const again = performance.now() - interruptedAt < secondInterruptMs
    interruptedAt = performance.now()
    submit(group, { kind: again || hooksLeft(group.state).length > 0 ? 'cancel' : 'pause' })
  }
  const onLeave = () => leave.abort()
  process.on('SIGINT', onInterrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onLeave)
  return () => {
    process.off('SIGINT', onInterrupt)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onLeave)
  }
}

/** Each line of a member starts with the name of its node. */
function show(group: Group, input: Input): () => void {
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
    outDocument<'loop'>(redactAll({ ...groupJson(state, world), exitCode: code }, secrets))
  } else
    outLines(['', ...redactAll(groupReceipt(state, shownWhole(world.store, summary), world.now()), secrets)])
  return ok(code)
}

export function groupJson(state: Group['state'], world: Pick<World, 'now'>) {
  return loopJson({ summary: summarizeGroup(state), orphaned: false }, world.now())
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
    if (line === null) return err(`No more can be typed here. Answer with: loop answer ${group.state.id}`)
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
    put(current.signal).catch((error: Error) =>
      err(`This cannot be asked here (${error.message}). Answer with: loop answer ${group.state.id}`),
    )
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
