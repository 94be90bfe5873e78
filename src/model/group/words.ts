/** The words of groups without their schemas, so that reading a journal loads none. */

/** A person's decision about a finding of a review: accept it, have it fixed, discuss it, or leave it open. */
export const resolutions = ['approve', 'task', 'discuss', 'skip'] as const
export type Resolution = (typeof resolutions)[number]

/** How files that you and the result have both changed are settled: with conflict markers, your file, its file. */
export const conflictWays = ['merge', 'mine', 'theirs'] as const
export type ConflictWay = (typeof conflictWays)[number]

/** The severity of a review finding, heaviest first. */
export const severities = ['BLOCKER', 'WARNING', 'SUGGESTION'] as const
export type Severity = (typeof severities)[number]
