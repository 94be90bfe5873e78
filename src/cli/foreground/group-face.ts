/**
 * What a terminal shows while a group runs in its foreground (views/screen/start/group): a line for each attempt, step or
 * task that is over, and below them a row for each that runs.
 */
import { join } from 'node:path'
import type { GroupKinds } from '../../core/group/machine.ts'
import { openGate } from '../../core/group/state.ts'
import type { State } from '../../core/loop/state.ts'
import type { Driven } from '../../engine/drive.ts'
import type { Told } from '../../engine/feed.ts'
import { secretsIn } from '../../secrets/redact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { emptyGroup, groupStep, groupTitle } from '../../views/screen/start/group.ts'
import { groupMoving } from '../../views/screen/start/group-moving.ts'
import { workOf } from '../../views/screen/start/moving.ts'
import type { Input } from '../command-table.ts'
import { agentOf, paperOf, viewOf } from './face.ts'

type Group = Driven<GroupKinds>

const tickMs = 150

type Member = { state: State; since: number; agent: ReturnType<typeof agentOf> }

/** Returns a function that ends it. */
export function groupFace(group: Group, input: Input): () => void {
  const { feed, now, store } = group.world
  const secrets = secretsIn(input.env)
  const paper = paperOf(secrets)
  const view = () => viewOf(input)
  const members = new Map<string, Member>()
  let fold = emptyGroup
  let frame = 0
  const pin = () => {
    // A question appears in the place of the rows.
    if (openGate(group.state)) return paper.pin([])
    const { look, width } = view()
    const shown = [...members].map(([id, one]) => [id, { ...one, last: one.agent.last() }] as const)
    const rows = groupMoving(
      group.state,
      { members: new Map(shown), now: now(), frame },
      { look, width: width - 1 },
    )
    paper.pin(rows)
  }
  const timer = setInterval(() => {
    frame += 1
    pin()
  }, tickMs)
  timer.unref()
  const heard = ({ event, state }: Told) => {
    const before = members.get(state.id)
    const isSame = before !== undefined && workOf(before.state) === workOf(state)
    const agent = before?.agent ?? agentOf(secrets)
    if (event.kind === 'run.started')
      agent.follow(join(loopDir(store.paths, state.id), event.data.dir), state.work.agent)
    if (event.kind === 'run.ended' || event.kind === 'run.lost') agent.forget()
    members.set(state.id, { state, agent, since: isSame ? before.since : now() })
  }
  const member = (node: string) => {
    const id = group.state.nodes.find(one => one.node.id === node)?.member ?? ''
    return members.get(id)?.state ?? null
  }
  paper.say(groupTitle(group.state, view(), group.state.nodes.length > 0 ? 'continues' : ''))
  const forgets = [
    feed.subscribe<'group'>(group.state.id, told => {
      const done = groupStep(fold, told, { view: view(), member })
      fold = done.fold
      paper.say(done.lines)
      // A question comes next: no row may stay where it is typed.
      if (openGate(told.state)) paper.pin([])
    }),
    feed.subscribe({ of: 'loop' }, told => {
      if (group.state.nodes.some(one => one.member === told.event.loop)) heard(told)
    }),
  ]
  return () => {
    clearInterval(timer)
    for (const forget of forgets) forget()
    paper.pin([])
  }
}
