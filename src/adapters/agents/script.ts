/**
 * The script of the scripted agent: `turns:` is a list of turns, each a list of actions; `nodes:` has the turns of a
 * group's loops by node. It is read before a loop begins and again by the player. A mistake is reported with file,
 * line, column and what was expected. Paths must stay below the work tree.
 */
import { relative, resolve } from 'node:path'
import { isMap, isNode, LineCounter, parseDocument } from 'yaml'
import * as z from 'zod'
import { fail, ok, type Result } from '../../model/failure.ts'
import { parseDuration } from '../../model/units.ts'

const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text)
  if (ms === null) context.addIssue({ code: 'custom' })
  return ms ?? 0
})

function actionsIn(tree: string) {
  const path = z.string().transform((text, context) => {
    const inside = relative(tree, resolve(tree, text))
    if (inside === '' || inside.startsWith('..')) context.addIssue({ code: 'custom' })
    return resolve(tree, text)
  })
  return {
    say: z.string(),
    wait: duration,
    write: z.strictObject({ path, text: z.string() }),
    replace: z.strictObject({ path, from: z.string(), to: z.string() }),
    delete: path,
    run: z.string(),
    usage: z.strictObject({ costUsd: z.number() }),
    answer: z.record(z.string(), z.unknown()),
    exit: z.int().min(0).max(255),
  }
}

type Actions = ReturnType<typeof actionsIn>
type Name = keyof Actions

export type Action = { [K in Name]: { do: K; with: z.infer<Actions[K]> } }[Name]

const expected: Record<Name, string> = {
  say: 'a text',
  wait: 'a time like 600ms or 2s',
  write: 'path and text, the path below the work tree',
  replace: 'path, from and to, the path below the work tree',
  delete: 'a path below the work tree',
  run: 'a shell command',
  usage: 'an amount like { costUsd: 0.01 }',
  answer: 'the fields of an answer to the question it was asked',
  exit: 'a number from 0 to 255',
}

/** The turns of a script, and those of nodes that have their own. */
type Script = { turns: Action[][]; nodes: Record<string, Action[][]> }

/** `file` is used in messages. */
export function parseScript(text: string, file: string, tree: string): Result<Script> {
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const wrongAt = (offset: number, what: string) => {
    const { line, col } = lines.linePos(offset)
    return fail('invalid-config', { kind: 'bad-script', file, line, col, what })
  }
  const [broken] = [...document.errors, ...document.warnings]
  if (broken)
    return wrongAt(
      broken.pos[0],
      `this is not YAML (${broken.message}). Expected is a script like:\n${sample}`,
    )
  const wrong: Wrong = (path, what) => {
    const node = document.getIn(path, true)
    return wrongAt(isNode(node) ? (node.range?.[0] ?? 0) : 0, what)
  }
  const script = document.toJS() as { turns?: unknown; nodes?: unknown } | null
  const { turns = [], nodes = {} } = script ?? {}
  const isEmpty = script?.turns === undefined && script?.nodes === undefined
  if (!isMap(document.contents) || isEmpty || !Array.isArray(turns) || typeof nodes !== 'object') {
    return wrong([], `a script is a list of turns. Expected is:\n${sample}`)
  }
  const other = Object.keys(script ?? {}).find(key => key !== 'turns' && key !== 'nodes')
  if (other !== undefined)
    return wrong([other], `a script has turns and nodes and nothing else; not ${other}.`)
  const read = turnsIn(turns, ['turns'], { tree, wrong })
  if (!read.ok) return read
  const byNode: Record<string, Action[][]> = {}
  for (const [node, list] of Object.entries(nodes ?? {})) {
    if (!Array.isArray(list))
      return wrong(['nodes', node], `a node has a list of turns. Expected is:\n${sample}`)
    const own = turnsIn(list, ['nodes', node], { tree, wrong })
    if (!own.ok) return own
    byNode[node] = own.value
  }
  return ok({ turns: read.value, nodes: byNode })
}

type ScriptPath = (string | number)[]
type Wrong = (path: ScriptPath, what: string) => ReturnType<typeof fail>

function turnsIn(
  list: unknown[],
  at: ScriptPath,
  { tree, wrong }: { tree: string; wrong: Wrong },
): Result<Action[][]> {
  const turns: Action[][] = []
  for (const [n, turn] of list.entries()) {
    if (!Array.isArray(turn)) return wrong([...at, n], `a turn is a list of actions. Expected is:\n${sample}`)
    const actions = turn.map(value => actionOf(value, tree))
    const bad = actions.findIndex(action => typeof action === 'string')
    if (bad !== -1) return wrong([...at, n, bad], String(actions[bad]))
    turns.push(actions as Action[])
  }
  return ok(turns)
}

const sample = `turns:
  - - say: Looking at it.
    - replace: { path: cart.js, from: a - b, to: a + b }`

/** The action, or what is wrong with it. */
function actionOf(value: unknown, tree: string): Action | string {
  const actions = actionsIn(tree)
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const [[name, given] = ['', null], ...more] = entries
  if (!Object.hasOwn(actions, name) || more.length > 0) {
    return `an action is one of ${Object.keys(actions).join(', ')}; not ${JSON.stringify(value)?.slice(0, 200)}.`
  }
  const parsed = actions[name as Name].safeParse(given)
  if (parsed.success) return { do: name, with: parsed.data } as Action
  return `${name} is ${expected[name as Name]}; not ${JSON.stringify(given)?.slice(0, 200)}.`
}
