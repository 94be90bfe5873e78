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

/** The document of a schema. */
export type DocumentOf<F extends () => z.ZodType> = z.infer<ReturnType<F>>

/** These fields of a value, as they are. */
export function someFields<T extends object, K extends keyof T>(value: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.map(name => [name, value[name]])) as Pick<T, K>
}

/** The same where the value, or a field of it, may be missing: null then. */
export function fieldsOrNull<T extends object, K extends keyof T>(
  value: T | undefined | null,
  ...names: K[]
) {
  const fields = names.map(name => [name, value?.[name] ?? null])
  return Object.fromEntries(fields) as { [N in K]-?: NonNullable<T[N]> | null }
}
