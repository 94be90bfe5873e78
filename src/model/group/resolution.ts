/** A person's decision about a finding of a review: accept it, have it fixed, discuss it, or leave it open. */
export const resolutions = ['approve', 'task', 'discuss', 'skip'] as const
export type Resolution = (typeof resolutions)[number]

/** How files that you and the result have both changed are settled: with conflict markers, your file, its file. */
export const conflictWays = ['merge', 'mine', 'theirs'] as const
export type ConflictWay = (typeof conflictWays)[number]
