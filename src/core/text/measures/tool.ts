/** The type of a linter or type checker for `problems`: how to count the problems in its output. */
import type { Printed } from './printed.ts'

/** The count; null if this is not its output; 'broken' if it could not check everything. */
export type ProblemTool = (said: Printed) => number | null | 'broken'
