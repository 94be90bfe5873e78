/**
 * Closed lists of words from the spec and its assessment that rules and views need as values. They are separate
 * from the schemas so that the web page, which uses the same rules, contains no schema library.
 */
import { breakerReasons } from './breakers.ts'

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

/** Why a loop rests at the end of an iteration. */
export const holdReasons = [
  'paused-by-user',
  'paused-by-agent',
  'paused-by-group',
  'group-budget',
  'advice-wanted',
  'budget-reached',
  ...breakerReasons('pause-first'),
  'promise-doubtful',
  'step-failed',
  'survivors',
  'must-not',
  'protected-changed',
  ...breakerReasons('pause'),
  ...breakerReasons('pause-if-watched'),
  'suspect',
  'agent-blocked',
  'unanswered',
  'assumption',
  'agent-auth',
  'limit-too-long',
  'session-ended',
  'session-stuck',
  'session-says-stuck',
  'session-limit',
] as const
