/**
 * Which side a changed file is on: the work itself (product), or what judges it. A file is the work if it is of a kind
 * that can be (core/trust/product-kinds) and is no test, no setting and not run by the promise; or if the promise only
 * looks at it. Everything else judges, until a run in a clean copy shows that the promise passes without it.
 *
 *   script   a file that the promise runs
 *   test     a test, and what lies with tests: fixtures, expected results, data they read, helpers with assertions
 *   config   settings, and what a runner loads unasked
 *   tool     the runner itself and what it loads
 *   data     what the promise holds a result against
 *   other    a file of no kind that the work could be
 */
import { matchesGlob } from '../../model/glob.ts'
import type { SteeringChange, SteeringKind } from '../../model/loop/trust.ts'
import { isTestFile } from '../change.ts'
import type { Chain } from './chain.ts'
import { type Ecosystem, ecosystems } from './ecosystems.ts'
import { productKind } from './product-kinds.ts'
import { kindOfCall } from './program-kinds.ts'
import type { TestFacts } from './test-facts.ts'

export type SideRules = {
  chain: Chain
  families: readonly Ecosystem[]
  /** The names at the root of the tree when the loop began. */
  rootFiles: readonly string[]
}

/** `found`: one that an earlier version of loop wrote down lacks what came later. */
export function rulesOf(found: Chain, rootFiles: readonly string[]): SideRules {
  const chain: Chain = Object.assign(
    { tools: [], isLinted: false, isOpaque: false, made: [], looked: [], feeding: [], searched: [] },
    found,
  )
  const programs = new Set(chain.programs)
  const named = ecosystems.filter(one => one.programs.some(program => programs.has(program)))
  const callsAny = named.some(({ name }) => name === 'Make') || chain.scripts.length > 0
  const shown = ({ markers }: Ecosystem) => rootFiles.some(file => markers.some(marker => marker.test(file)))
  const families = ecosystems
    .filter(one => named.includes(one) || (callsAny && shown(one)))
    .map(family => withoutUnread(family, chain))
  return { chain, families, rootFiles }
}

/** `node --test` runs by no script of package.json, so that file can be the work beside it. */
function withoutUnread(family: Ecosystem, { programs, callsScripts }: Chain): Ecosystem {
  const { unread, config } = family
  const named = family.programs.filter(program => programs.includes(program))
  const isAside = !callsScripts && named.length > 0 && named.every(one => unread?.by.includes(one))
  return isAside ? { ...family, config: config.filter(form => form !== unread?.file) } : family
}

/** A manifest by which nothing of the promise is run. */
export function isUnread(path: string, { chain }: SideRules): boolean {
  const name = path.split('/').at(-1) ?? ''
  return ecosystems.some(family => family.unread?.file.test(name) && withoutUnread(family, chain) !== family)
}

type Changed = { path: string; isAdded: boolean }

/** Null: the file is the work. `facts` are asked only where its path does not tell. */
export function judgingKind(
  { path, isAdded }: Changed,
  rules: SideRules,
  facts: TestFacts,
): SteeringKind | null {
  const { chain, rootFiles } = rules
  const first = path.split('/')[0] ?? ''
  const hidden = isAdded ? facts.hiddenBy(path) : null
  if (hidden !== null)
    return (
      judgingKind({ path: hidden, isAdded: false }, rules, facts) ??
      (chain.isRunning && facts.isHiding(path) ? 'config' : null)
    )
  if (chain.scripts.includes(path) && !facts.isSubject(path)) return 'script'
  if (chain.targets.includes(first) && !rootFiles.includes(first)) return 'config'
  if (isAdded && (chain.made.includes(path) || isFoundFirst(path, rules))) return 'config'
  const isWanted = chain.wantsTests && (isAdded || facts.isGrown(path))
  if (chain.runs.some(glob => isBelow(path, glob))) return isWanted ? null : 'test'
  if (chain.compared.some(glob => isBelow(path, glob))) return 'data'
  if (chain.feeding.some(glob => isBelow(path, glob))) return 'script'
  const setting = settingKind(path, rules)
  const isLookedAt = chain.inspected.some(glob => isBelow(path, glob))
  if (chain.inspected.includes(path) && (setting === null || !chain.isRunning) && !isTestRun(path, chain))
    return null
  if (setting !== null) return setting
  if (isLookedAt && !chain.isRunning) return null
  if (isTestFile(path)) return isWanted ? null : 'test'
  if (chain.isRunning && liesWithTests({ path, isAdded }, facts)) return 'test'
  if (isAdded && chain.isRunning && facts.isHiding(path)) return 'config'
  if (isLoadedUnasked({ path, isAdded }, facts)) return 'config'
  if (!isAdded && chain.isRunning && isUnreadCheck(path, chain, facts)) return 'script'
  return productKind(path) === null ? 'other' : null
}

/**
 * A new file that is taken for another: a program in a directory that the PATH of the promise begins with, or a source
 * from which make makes a file that it includes.
 */
function isFoundFirst(path: string, { chain, families }: SideRules): boolean {
  const directory = path.split('/').slice(0, -1).join('/')
  const program = path.split('/').at(-1) ?? ''
  if (chain.searched.includes(directory) && kindOfCall({ program, args: [] }) !== 'runner') return true
  const made = path.replace(/\.\w+$/, '')
  const isMake = families.some(({ name }) => name === 'Make')
  return isMake && made !== path && [...chain.compared, ...chain.scripts].includes(made)
}

/** A program that uses the work and can fail, where the promise may run it by a way that is not read; or a table of its own. */
function isUnreadCheck(path: string, chain: Chain, facts: TestFacts): boolean {
  return facts.isTable(path) || (chain.isOpaque && facts.isChecker(path))
}

/** Is a file that judges the work to a command that only looks? Tests are by their directory, others by their name. */
export function isLooked({ path, kind, how }: SteeringChange, { looked }: Chain): boolean {
  if (how !== 'changed' && how !== 'added') return false
  return kind === 'test' ? looked.some(glob => isBelow(path, glob)) : looked.includes(path)
}

function isTestRun(path: string, { isRunning }: Chain): boolean {
  return isRunning && isTestFile(path)
}

/** Settings of any runner, known or not: they are loaded because of their names. */
const settings =
  /^(?:conftest\.py|\.env(?:\..+)?|\.[\w-]+rc(?:\.\w+)?|[\w-]+\.(?:config|conf|setup)(?:\.[\w-]+)?\.(?:[cm]?[jt]s|json|ya?ml|toml))$/

export function settingKind(path: string, { families, chain }: SideRules): SteeringKind | null {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (families.some(({ tools }) => parts.some(part => tools.includes(part)))) return 'tool'
  // Python finds the plugins of its runner by these.
  if (parts.some(part => /\.(?:dist|egg)-info$/.test(part))) return 'config'
  const isConfig = families.some(({ config }) => config.some(pattern => pattern.test(name)))
  if (isConfig || settings.test(name) || (chain.programs.includes('git') && name === '.gitignore'))
    return 'config'
  if (chain.tools.some(tool => isNamedLike(path, tool))) return 'config'
  return families.some(({ modules = [] }) => hidesModule(parts, modules)) ? 'config' : null
}

/** `.tidycheck.yml`, `tidycheck.toml` and `.tidycheckignore` are settings of a promise that runs tidycheck. */
function isNamedLike(path: string, program: string): boolean {
  const name = (path.split('/').at(-1) ?? '').replace(/^\./, '').toLowerCase()
  const [stem = ''] = name.split('.')
  if (program.length < 3 || productKind(path) === 'code') return false
  const more = stem.startsWith(program) ? stem.slice(program.length) : null
  if (more !== null && /^(?:$|[^a-z]|rc$|ignore$|config$|file$)/.test(more)) return true
  return stem.length > 3 && program.startsWith(`${stem}-`)
}

/** Settings at the root or in a hidden directory that neither the work nor a test names: new ones of any form. */
function isLoadedUnasked({ path, isAdded }: Changed, facts: TestFacts): boolean {
  const parts = path.split('/')
  const isHidden = parts.some(part => part.startsWith('.')) && parts[0] !== '.github'
  const isSetting = isAdded ? productKind(path) === 'data' : /\.(?:toml|ini|properties)$/.test(path)
  return isSetting && (parts.length === 1 || isHidden) && facts.isUnnamed(path)
}

/** Python searches its start directory before its own modules, and pytest searches the directory of the tests. */
function hidesModule(parts: string[], modules: readonly string[]): boolean {
  const [first = '', second = '', ...more] = parts
  const isModule = (name: string) => name.endsWith('.py') && modules.includes(name.slice(0, -3))
  const isSearched = /^(?:src|tests?)$/.test(first)
  if (more.length > 0) return false
  if (second === '') return isModule(first)
  return (modules.includes(first) && second === '__init__.py') || (isSearched && isModule(second))
}

const besideTests =
  /(?:^|[/_.-])(?:fixtures?|goldens?|expected|expectations?|snapshots?|test_?data|test_?cases?|approved|cassettes)(?:[/_.-]|$)/i

function liesWithTests({ path, isAdded }: Changed, facts: TestFacts): boolean {
  if (besideTests.test(path)) return true
  const kind = productKind(path)
  if (kind === 'code') return facts.asserts(path) || (isAdded && facts.isStranger(path))
  return kind !== null && facts.isReadByTests(path)
}

/** Told by its name and by the chain alone: a test, what lies with tests, or what the chain runs or compares with. */
export function isKnownJudge(path: string, { chain }: SideRules): boolean {
  return isTestFile(path) || besideTests.test(path) || isJudge(path, chain)
}

/** A file that the chain itself runs, or holds results against. */
export function isJudge(path: string, { scripts, runs, compared }: Chain): boolean {
  return [...scripts, ...runs, ...compared].some(glob => glob !== '' && isBelow(path, glob))
}

/** Is the path the one that a chain names, or below it? '' is the whole tree. */
function isBelow(path: string, glob: string): boolean {
  if (glob === '' || path === glob || path.startsWith(`${glob}/`)) return true
  return /[*?[{]/.test(glob) && matchesGlob(path, glob.includes('/') ? glob : `/${glob}`)
}
