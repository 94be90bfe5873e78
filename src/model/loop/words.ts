/**
 * Closed lists of words from the spec and its assessment that rules and views need as values. They are separate
 * from the schemas so that the web page, which uses the same rules, contains no schema library.
 */
import { breakerExits } from './breakers.ts'

/** The ways to know that a criterion is met, strongest first; an assumption never counts as met. */
export const verifications = [
  'execution output',
  'observation',
  'measurement',
  'reasoned inference',
  'code review',
  'assumption',
] as const

/** The endings that a hook can follow. */
export const hookKinds = ['complete', 'failure'] as const

/** How hard a change is to undo, easiest first: 2A within a minute, 2B within minutes, 1 hours or more. */
export const reversibilities = ['2A', '2B', '1'] as const

/** Why a loop rests at the end of an iteration, with the exit code of the program that drove it. */
export const holdExits = {
  'paused-by-user': 2,
  'paused-by-agent': 1,
  'paused-by-group': 2,
  'group-budget': 1,
  'advice-wanted': 1,
  'budget-reached': 1,
  ...breakerExits('pause-first'),
  'promise-doubtful': 1,
  'step-failed': 1,
  survivors: 1,
  'must-not': 1,
  'protected-changed': 1,
  ...breakerExits('pause'),
  ...breakerExits('pause-if-watched'),
  suspect: 1,
  'agent-blocked': 1,
  unanswered: 1,
  assumption: 1,
  'agent-auth': 1,
  'limit-too-long': 1,
  'session-ended': 1,
  'session-stuck': 1,
  'session-says-stuck': 1,
  'session-limit': 1,
} as const

export const holdReasons = Object.keys(holdExits) as (keyof typeof holdExits)[]
