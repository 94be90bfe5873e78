/**
 * The places of templates: built in, the user's, $LOOP_TEMPLATES_DIR, the project's. Of two with the same name the
 * later place wins, and the user is told. This file only looks: a project's template has to be trusted before use,
 * like a workflow file. And their variables before they run: missing values are asked for on a terminal, and listed
 * elsewhere; options/workflow judges the file as a whole afterwards.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import type { DocumentOf } from '../../documents/fields.ts'
import type { templateLineSchema } from '../../documents/workflow.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { nearest } from '../../options/nearest.ts'
import { readDocument, type VarEntry } from '../../options/workflow/document.ts'
import { nameForm, nameRule } from '../../options/workflow/keys.ts'
import { notesOn } from '../../options/workflow/yaml.ts'
import { pathsFrom, projectTemplates } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended } from '../foreground/question.ts'
import { readWorkflowFile } from './load.ts'

/** In words, for people: where it is. */
type Place = 'built in' | 'yours' | '$LOOP_TEMPLATES_DIR' | 'project'

type Found = { path: string; place: Place }
/** `shadows`: unused templates of the same name, nearest first. */
export type Template = Found & { name: string; shadows: Found[] }

const builtIn = join(
  import.meta.dirname,
  extname(import.meta.filename) === '.ts' ? '../../..' : '..',
  'templates',
)

/** Later wins. */
function placesOf(input: Input): { directory: string; place: Place }[] {
  const { LOOP_TEMPLATES_DIR: named } = input.env
  return [
    { directory: builtIn, place: 'built in' },
    { directory: pathsFrom(input.env).userTemplates, place: 'yours' },
    ...(named ? [{ directory: resolve(named), place: '$LOOP_TEMPLATES_DIR' as const }] : []),
    { directory: projectTemplates(treeOf(input)), place: 'project' },
  ]
}

/**
 * It came with loop, or the user put it into their own configuration, outside the work tree. Anything else in a
 * repository has to be trusted by its content, including what $LOOP_TEMPLATES_DIR names.
 */
export function isOwn({ path, place }: Template, input: Input): boolean {
  if (place === 'built in') return true
  const tree = treeOf(input)
  return place === 'yours' && !realpathSync(path).startsWith(tree === '/' ? tree : `${tree}/`)
}

function treeOf(input: Input): string {
  const typed = resolve(input.value('cwd') ?? '.')
  try {
    return realpathSync(typed)
  } catch {
    return typed // it is not there, or closed to us: the command says so
  }
}

export function allTemplates(input: Input): Template[] {
  const found = new Map<string, Template>()
  for (const { directory, place } of placesOf(input)) {
    for (const { name, path } of filesIn(directory)) {
      const before = found.get(name)
      const shadows = before ? [{ path: before.path, place: before.place }, ...before.shadows] : []
      found.set(name, { name, path, place, shadows })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function filesIn(directory: string): { name: string; path: string }[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const [, name = ''] = /^(.+)\.ya?ml$/.exec(entry.name) ?? []
    return nameForm.test(name) && !entry.isDirectory() ? [{ name, path: join(directory, entry.name) }] : []
  })
}

export function templateNamed(name: string, input: Input): Result<Template> {
  const all = allTemplates(input)
  const found = all.find(template => template.name === name)
  if (found) return ok(found)
  const names = all.map(template => template.name)
  const near = nearest(name, names)
  return invalid({ kind: 'unknown-template', name, near, known: names })
}

export function shadowWords({ name, path, place, shadows }: DocumentOf<typeof templateLineSchema>) {
  const [first] = shadows
  if (!first) return null
  const others = shadows.map(other => `${spelledOut(other.path)} (${other.place})`).join(', ')
  return `${name} is ${spelledOut(path)} (${place}); it hides ${others}.`
}

/** The path of a new template; refused if the name is taken. */
export function newTemplatePath(name: string, input: Input): Result<string> {
  if (!nameForm.test(name)) return invalid({ kind: 'bad-template-name', name, rule: nameRule })
  const { LOOP_TEMPLATES_DIR: named } = input.env
  const directory = named ? resolve(named) : pathsFrom(input.env).userTemplates
  const there = filesIn(directory).find(file => file.name === name)
  return there ? invalid({ kind: 'template-there', path: there.path }) : ok(join(directory, `${name}.yaml`))
}

/** Empty if the file declares none or cannot be read; its mistakes are reported later. */
export function declaredIn(path: string): VarEntry[] {
  const file = readWorkflowFile(path)
  return file.ok ? (readDocument(file.value.text, notesOn(file.value.text, path))?.vars ?? []) : []
}

function namesIn(set: readonly string[]): string[] {
  return set.map(one => one.slice(0, one.indexOf('=')))
}

/** The variable whose value is the prompt: the first one without a default. */
export function firstVariable(vars: readonly VarEntry[]): VarEntry | null {
  return vars.find(({ isRequired, isCommand }) => isRequired && !isCommand) ?? null
}

/** The missing values as `name=value`; `given` are present already. */
export async function missingValues(
  vars: readonly VarEntry[],
  { name, given, input }: { name: string; given: readonly string[]; input: Input },
): Promise<Result<string[]>> {
  const there = namesIn([...input.values('set'), ...given])
  const missing = vars.filter(one => one.isRequired && one.detect === null && !there.includes(one.name))
  if (missing.length === 0) return ok([])
  const refused = invalid({
    kind: 'template-values-missing',
    name,
    missing: missing.map(({ name: variable, description }) => ({ name: variable, description })),
  })
  if (!isAttended(input)) return refused
  const values: string[] = []
  for (const one of missing) {
    const { signal } = new AbortController()
    const asked = one.description === null ? one.name : `${one.name}, ${one.description}`
    const line = (await askLine(`${safeLine(asked)}: `, signal))?.trim() ?? ''
    if (line === '') return refused
    values.push(`${one.name}=${line}`)
  }
  return ok(values)
}
