/**
 * Where templates are: built in, of the user, in $LOOP_TEMPLATES_DIR, of the project. Of two with one name the later
 * wins, and whoever uses it is told. Only looks: a template of the project is used after it was trusted, as a workflow
 * file is.
 */
import { existsSync, readdirSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { nearest } from '../../options/nearest.ts'
import { nameForm, nameRule } from '../../options/workflow/shapes.ts'
import { pathsFrom, projectTemplates } from '../../store/files/paths.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { systemHere } from '../system.ts'

/** In words, for people: where it is. */
type Place = 'built in' | 'yours' | '$LOOP_TEMPLATES_DIR' | 'project'

type Found = { path: string; place: Place }
/** `shadows`: others of its name, which are not used; the nearest first. */
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
 * It came with loop, or the user put it among their own configuration, which is not part of the work tree. Whatever
 * else lies in a repository has to be trusted, by its content; so may what $LOOP_TEMPLATES_DIR names.
 */
export function isOwn({ path, place }: Template, input: Input): boolean {
  if (place === 'built in') return true
  const tree = treeOf(input)
  return (
    place === 'yours' &&
    !systemHere(input)
      .realpath(path)
      .startsWith(tree === '/' ? tree : `${tree}/`)
  )
}

function treeOf(input: Input): string {
  const typed = resolve(input.value('cwd') ?? '.')
  const found = systemHere(input).directory(typed)
  return 'real' in found ? found.real : typed
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
  return fail(
    'invalid-arguments',
    `There is no template ${name}. ${near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`}`,
  )
}

export function shadowWords({ name, path, place, shadows }: Template): string | null {
  const [first] = shadows
  if (!first) return null
  const others = shadows.map(other => `${spelledOut(other.path)} (${other.place})`).join(', ')
  return `${name} is ${spelledOut(path)} (${place}); it hides ${others}.`
}

/** Where a new one goes; refused where one of that name is there already. */
export function newTemplatePath(name: string, input: Input): Result<string> {
  if (!nameForm.test(name))
    return fail('invalid-arguments', `"${name}" cannot be the name of a template: a name is ${nameRule}.`)
  const { LOOP_TEMPLATES_DIR: named } = input.env
  const directory = named ? resolve(named) : pathsFrom(input.env).userTemplates
  const there = filesIn(directory).find(file => file.name === name)
  return there
    ? fail(
        'invalid-arguments',
        `${spelledOut(there.path)} is there already. Take another name, or edit that file.`,
      )
    : ok(join(directory, `${name}.yaml`))
}
