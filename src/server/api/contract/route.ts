/** The type of a route, and the parameters that many routes share. */
import * as z from 'zod'

export type Route = {
  method: 'get' | 'post'
  /** With `{name}` for a parameter. */
  path: string
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** A schema for JSON; a media type for anything else. */
  answer: z.ZodType | 'text/plain' | 'text/html' | 'text/event-stream' | 'application/octet-stream'
  /** Needs neither token nor key: what it answers holds no secret, or it checks one itself. */
  open?: true
  /** Only over the Unix socket. */
  local?: true
  /** Only secrets are removed from the text: it is a patch that has to apply, or a name to ask for. */
  exact?: true
  /** Refused to a program that says it is inside an agent's run (`runHeader`). */
  forPeople?(body: unknown): boolean
}

/** The id of the loop in whose run a client was started; our own client sends it. */
export const runHeader = 'x-loop-run'

export const always = () => true

export const id = z.string().regex(/^[a-z0-9]{6}$/)
export const ofLoop = z.strictObject({ id })
const runNumber = z.string().regex(/^[1-9]\d{0,5}$/)
export const ofRun = z.strictObject({ id, run: runNumber })
export const wholeNumber = z.string().regex(/^\d{1,15}$/)
export const checkpointParam = z.string().regex(/^\w[\w./-]{0,120}$/)

/** `facts`: the data behind the sentence; another version of loopd can have other kinds, or none. */
export const failure = z.object({
  error: z.object({
    reason: z.string(),
    message: z.string(),
    facts: z.looseObject({ kind: z.string() }).optional(),
  }),
})

/** One field for each name. A record of an enum would say that they are required, and not which form they have. */
export function byName<N extends string, S extends z.ZodType>(
  names: readonly N[],
  schema: S,
): z.ZodObject<Record<N, S>, z.core.$strict> {
  return z.strictObject(Object.fromEntries(names.map(name => [name, schema])) as Record<N, S>)
}
