/** A route of loopd: what is asked with its path, and what it answers. The parameters in a path are known by name. */
import * as z from 'zod'

type About = {
  summary: string
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

/** `path`: with `{name}` for a parameter. */
export type Route = About & { method: 'get' | 'post'; path: string; params?: z.ZodObject | undefined }

export const id = z.string().regex(/^[a-z0-9]{6}$/)
export const wholeNumber = z.string().regex(/^\d{1,15}$/)
export const checkpointParam = z.string().regex(/^\w[\w./-]{0,120}$/)
export const directory = z.string().regex(/^\//).max(4_096)

const inPaths = {
  id,
  run: z.string().regex(/^[1-9]\d{0,5}$/),
  output: z.enum(['out', 'err']),
  file: z.enum(['prompt', 'out', 'err']),
  verification: z
    .string()
    .regex(/^\d{1,9}-\d{1,4}$/)
    .describe('the iteration (0: the baseline) and the number of the criterion, from 0: 2-0'),
  template: z.string().regex(/^[\w][\w.-]{0,80}$/),
  rest: z.string().max(2_000),
  asset: z.string().regex(/^\w[\w.-]{0,120}$/),
}

type NamesIn<P extends string> = P extends `${string}{${infer N extends keyof typeof inPaths}}${infer Rest}`
  ? N | NamesIn<Rest>
  : never
type Params<P extends string> = z.ZodObject<Pick<typeof inPaths, NamesIn<P>>, z.core.$strict>
type Made<M, P extends string, A> = A & {
  method: M
  path: P
  params: [NamesIn<P>] extends [never] ? undefined : Params<P>
}

export function getRoute<const P extends string, const A extends About>(
  path: P,
  about: A,
): Made<'get', P, A> {
  return { ...about, method: 'get', path, params: paramsOf(path) }
}

export function postRoute<const P extends string, const A extends About>(
  path: P,
  about: A,
): Made<'post', P, A> {
  return { ...about, method: 'post', path, params: paramsOf(path) }
}

function paramsOf<P extends string>(path: P): Made<'get', P, About>['params'] {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as keyof typeof inPaths)
  const shape = Object.fromEntries(names.map(name => [name, inPaths[name]]))
  return (names.length === 0 ? undefined : z.strictObject(shape)) as Made<'get', P, About>['params']
}

/** The id of the loop in whose run a client was started; our own client sends it. */
export const runHeader = 'x-loop-run'

export const always = () => true

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
