/** Fields that many documents have, with what is said about each. A function of each: nothing is made on loading. */
import * as z from 'zod'

export const string = (what: string) => z.string().describe(what)
export const stringOrNull = (what: string) => z.string().nullable().describe(what)
export const strings = (what: string) => z.array(z.string()).describe(what)
export const int = (what: string) => z.int().describe(what)
export const moment = (what = 'milliseconds since 1970') => z.number().describe(what)
export const changesSchema = () => z.strictObject({ added: z.int(), removed: z.int(), files: z.int() })
export const verdictSchema = () => z.enum(['PASS', 'FAIL', 'ERROR']).nullable()
export const tokensSchema = () =>
  z.strictObject({ input: z.number(), cached: z.number(), output: z.number() }).nullable()
