/** What a linter or a type checker is to `problems`: how its problems are counted in what it printed. */
import type { Printed } from './printed.ts'

/** Its count; null: this is not its output; broken: it says that it could not look at everything. */
export type ProblemTool = (said: Printed) => number | null | 'broken'
