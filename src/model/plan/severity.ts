/** The severity of a review finding, heaviest first. */
export const severities = ['BLOCKER', 'WARNING', 'SUGGESTION'] as const

export type Severity = (typeof severities)[number]
