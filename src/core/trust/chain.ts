/**
 * The chain of a promise: what its commands run, and what they only look at. Read from the texts of the promise, of the
 * scripts and recipes it calls and of what those call in turn, through `cd`, `-C`, `--prefix` and interpreters; nothing
 * is run, and tests are not read. It is plain data, because it is written down when the loop begins: what the agent
 * makes of those scripts later does not change it.
 *
 *   promise ─▶ calls ─▶ runs a file or a glob ─▶ script        (judges the work)
 *                   ├─▶ its output is compared, and it names nothing else of the tree ─▶ the work
 *                   ├─▶ looks at a file (grep, eslint, test -f) ─▶ inspected: the work
 *                   └─▶ holds a file against another (diff, cmp) ─▶ compared
 */
import { followed, type Reached } from './following.ts'
import { isSetting, joinedIn } from './joined.ts'
import type { Reading } from './recipes.ts'

export type Chain = Omit<Reached, 'isLooking'> & {
  /** What commands look at that run nothing: to those, tests are the work. Nothing if no command runs anything. */
  looked: string[]
  /** The promise asks for tests: `! runner`, a threshold of coverage, `loop check red`. */
  wantsTests: boolean
}

export function chainOf(promise: readonly string[], tree: Reading): Chain {
  const { isLooking: _, ...chain } = followed(promise, tree)
  const looked = chain.isRunning ? promise.flatMap(text => dividedBy(text, tree).lookedAt) : []
  return { ...chain, looked: [...new Set(looked)], wantsTests: promise.some(wantsTests) }
}

/** `running`, `looking`: the commands that run something, and those that only look; null: there are none. */
type Divided = { running: string | null; looking: string | null; lookedAt: string[] }

/** Takes a command of a promise apart: `eslint . && node --test` looks at tests, and then runs them. */
export function dividedBy(command: string, tree: Reading): Divided {
  const running: string[] = []
  const looking: string[] = []
  const settings: string[] = []
  const lookedAt: string[] = []
  for (const text of joinedIn(command)) {
    if (isSetting(text)) settings.push(text)
    const found = followed([[...settings, text].join(' && ')], tree, true)
    if (found.isLooking) lookedAt.push(...found.inspected)
    if (!found.isLooking || isSetting(text)) running.push(text)
    if (found.isLooking || isSetting(text)) looking.push(text)
  }
  const all = (texts: string[]) => (texts.every(isSetting) ? null : texts.join(' && '))
  return { running: all(running), looking: all(looking), lookedAt }
}

const coverage =
  /--(?:coverage|check-coverage|cov-fail-under|experimental-test-coverage|test-coverage-\w+|fail-under)/

/** The red step of a plan, a test that must fail, or tests until enough of the code is covered. */
function wantsTests(command: string): boolean {
  const isNegated = /(?:^|[;&|(\n])\s*!\s*(?!(?:grep|rg|test|\[|git|cmp|diff)\b)\S/.test(command)
  return isNegated || coverage.test(command) || /\bcheck\s+(?:red|proof|pins)\b/.test(command)
}

/** For what the text of a promise itself says: no file is read. */
export const unread: Reading = { read: () => null, list: () => [] }
