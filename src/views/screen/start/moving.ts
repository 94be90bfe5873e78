/** The row that moves while a loop runs: what goes on, since when, and what can be pressed. Nothing of it stays. */
import { limitOf } from '../../../core/loop/breaker.ts'
import { commandsPass } from '../../../core/loop/criteria.ts'
import type { State } from '../../../core/loop/state.ts'
import { summarize } from '../../../core/loop/summary.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { spinnerSign } from '../live.ts'
import { ink } from '../look.ts'
import { stepNow } from './agent.ts'
import { clock, felt, indent, inTime, movingRow, padded, type StartView } from './pieces.ts'

/** The kind of work that goes on, told apart by when it began; null: nothing, or a person types. */
export type WorkNow =
  | 'check'
  | 'agent'
  | 'save'
  | 'look'
  | 'limit'
  | 'retry'
  | 'stop'
  | 'hook'
  | 'stop-hook'
  | null

export function workOf(state: State): WorkNow {
  const { status } = summarize(state)
  if (state.human.question && state.spec.attended) return null
  if (state.hook.open) return state.hook.open.isUnwanted ? 'stop-hook' : 'hook'
  if (status === 'waiting') return state.limits.wait?.for === 'usage-limit' ? 'limit' : 'retry'
  if (status !== 'running') return null
  if (state.turn.cancelRequested) return 'stop'
  switch (state.work.stage) {
    case 'running':
      return 'agent'
    case 'baseline':
    case 'settled':
      return 'check'
    case 'boundary':
      return commandsPass(state) ? 'look' : 'save'
    default:
      return 'save'
  }
}

/** `keys`: they can be pressed, or their help is shown; without them Ctrl-C always can. */
type Moving = {
  work: WorkNow
  since: number
  now: number
  frame: number
  /** The newest line of the agent. */
  last: string
  keys: 'keys' | 'help' | 'none'
}

export function movingRows(state: State, moving: Moving, view: StartView): string[] {
  const { work, now, since, frame, keys } = moving
  if (work === null) return []
  const { iteration, stage } = state.work
  const isNext = work === 'save' && (stage === 'boundary' || stage === 'initial')
  const at = stage === 'baseline' ? 'before' : String(isNext ? iteration + 1 : iteration)
  const mark = ink(view.look, 'cyan', spinnerSign(view.look, frame))
  const time = work === 'limit' || work === 'retry' ? '' : felt(now - since)
  const left = padded(`  ${at.padEnd(2)} ${mark} ${time}`, indent.length)
  const pause = state.turn.hold && !state.turn.cancelRequested ? ', then pauses' : ''
  const row = movingRow(`${left}${wordsFor(state, moving)}${pause}`, hintFor(state, moving), view)
  return keys === 'help' ? [row, ...helpRows(view)] : [row]
}

/** What goes on, in words. */
export function wordsFor(state: State, { work, last, now }: Pick<Moving, 'work' | 'last' | 'now'>): string {
  const { agent } = state.work
  const { wait } = state.limits
  switch (work) {
    case 'agent': {
      const step = stepNow(last)
      return `${agent}: ${step === '' ? 'working' : step}`
    }
    case 'check':
      return `running ${oneLine(state.spec.criteria.find(({ command }) => command !== null)?.name ?? 'the check')}`
    case 'look':
      return 'passes; checking that in a clean copy'
    case 'limit':
      return limitWords(state, wait?.until ?? now, now)
    case 'retry':
      return retryWords(state, wait?.until ?? now, now)
    case 'stop':
      return `stopping ${agent}`
    case 'hook':
      return `running ${oneLine(state.hook.open?.command ?? 'the hook')}`
    case 'stop-hook':
      return 'stopping the hook'
    default:
      return 'saving the files'
  }
}

/** `usage limit of claude, resumes 11:00 (in 48m)` */
function limitWords({ limits }: State, until: number, now: number): string {
  const all = Object.entries(limits.limited)
  const agents = all.map(([agent]) => agent).join(', ')
  const kinds = new Set(all.map(([, { kind = 'usage-limit' }]) => kind))
  if (kinds.has('usage-limit') || kinds.size === 0) {
    const left = until > now ? ` (in ${felt(until - now)})` : ''
    return `usage limit of ${agents}, resumes ${clock(until, now)}${left}`
  }
  const what = kinds.has('network') ? `no network for ${agents}` : `the model of ${agents} is overloaded`
  return `${what}, next try ${inTime(until, now)}`
}

/** `claude failed, try 2 of 3 in 48s (11:00)` */
function retryWords(state: State, until: number, now: number): string {
  const limit = limitOf(state.spec, 'agentErrors')
  const n = state.limits.agentErrorsInRow + 1
  const of = limit === null ? '' : ` of ${limit}`
  return `${state.work.agent} failed, try ${n}${of} ${inTime(until, now)}`
}

function hintFor({ turn }: State, { work, keys }: Moving): string {
  if (work === 'stop' || work === 'stop-hook') return ''
  const isHeld = turn.hold !== null
  if (keys === 'none') return isHeld ? 'Ctrl-C cancels' : 'Ctrl-C pauses, twice cancels'
  if (work === 'hook') return 'x stop it'
  // What it waits for is longer than the keys that matter now.
  if (work === 'limit' || work === 'retry') return 'x cancel  ? keys'
  return isHeld ? 'r no pause  x cancel  ? keys' : 'p pause  x cancel  i tell it  ? keys'
}

/** What the key `i` asks for. */
export const tellWords = 'Tell the agent: '

function helpRows({ look }: StartView): string[] {
  return [
    'p       pause after this iteration          r       take a pause back',
    'x       cancel now                          i       tell the agent something',
    'Ctrl-C  pause; again within 10s: cancel     ?       hide this',
  ].map(row => ink(look, 'dim', `     ${row}`))
}
