/**
 * The script of the scripted agent: `turns:`, a list of turns, each a list of actions. Read before a loop begins
 * and again by the player; a mistake is said with file, line and column, and what was expected there. Paths stay
 * below the work tree.
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
  exit: 'a number from 0 to 255',
}

/** The turns of a script; `file` is for the message. */
export function parseScript(text: string, file: string, tree: string): Result<Action[][]> {
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const wrongAt = (offset: number, what: string) => {
    const { line, col } = lines.linePos(offset)
    return fail('invalid-config', `${file}:${line}:${col}: ${what}`)
  }
  const [broken] = [...document.errors, ...document.warnings]
  if (broken)
    return wrongAt(
      broken.pos[0],
      `this is not YAML (${broken.message}). Expected is a script like:\n${sample}`,
    )
  const wrong = (path: (string | number)[], what: string) => {
    const node = document.getIn(path, true)
    return wrongAt(isNode(node) ? (node.range?.[0] ?? 0) : 0, what)
  }
  const script = document.toJS() as { turns?: unknown } | null
  if (!isMap(document.contents) || !Array.isArray(script?.turns)) {
    return wrong([], `a script is a list of turns. Expected is:\n${sample}`)
  }
  const other = Object.keys(script).find(key => key !== 'turns')
  if (other !== undefined) return wrong([other], `a script has turns and nothing else; not ${other}.`)
  const turns: Action[][] = []
  for (const [n, turn] of script.turns.entries()) {
    if (!Array.isArray(turn))
      return wrong(['turns', n], `a turn is a list of actions. Expected is:\n${sample}`)
    const actions = turn.map(value => actionOf(value, tree))
    const bad = actions.findIndex(action => typeof action === 'string')
    if (bad !== -1) return wrong(['turns', n, bad], String(actions[bad]))
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
