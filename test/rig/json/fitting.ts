/**
 * Holds what `--json` prints against its schema, and remembers which forms of which commands were held: strictly, so
 * that an additional field fails too.
 */
import assert from 'node:assert/strict'
import { printedDocuments } from '../../../scripts/json-forms.ts'
import { stderrDocuments } from '../../../src/documents/documents.ts'
import type { Rig } from '../rig.ts'

const onStderr = stderrDocuments()
type OnStderr = keyof typeof onStderr
export type Name = keyof typeof printedDocuments | OnStderr

/** What most documents have. */
export type Printed = { id: string }

const held = new Set<string>()

/** The forms of all documents that no output was held against. */
export function unheld(): string[] {
  const all = Object.entries(printedDocuments).flatMap(([name, { commands, perLine }]) =>
    [...commands, ...perLine].map(form => key(name, form)),
  )
  return [...all, ...Object.keys(onStderr)].filter(one => !held.has(one))
}

function key(name: string, form: string): string {
  return `${name}: ${form}`
}

/** Words are separated by NUL; after a form there may be more flags, as long as none of them is a word of its own. */
function isOf(form: string, words: readonly string[]): boolean {
  const parts = form.split(' ').map(word => {
    if (word === '…') return '(?:\0[^\0]*)*?'
    const one = word.startsWith('<') ? '[^\0-][^\0]*' : `(?:${word.replaceAll('.', '\\.')})`
    return `\0${one}`
  })
  return new RegExp(`^${parts.join('')}(?:\0-.*)?$`, 's').test(words.map(word => `\0${word}`).join(''))
}

function documentsIn(text: string): unknown[] {
  return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
}

/** Holds what a command printed; returns its documents. `words`: as typed, with loopd in front. */
export function holds(name: keyof typeof printedDocuments, words: string[], stdout: string): Printed[] {
  const { commands, perLine, schema } = printedDocuments[name]
  const said = `${words.join(' ')}: ${stdout}`
  const documents = documentsIn(stdout)
  const forms = [...commands, ...perLine].filter(form => isOf(form, words))
  assert.ok(forms.length > 0, `No form of ${name} is documented for: ${words.join(' ')}`)
  const isOne = !forms.some(form => perLine.includes(form))
  assert.ok(isOne ? documents.length === 1 : documents.length > 0, `so many documents: ${said}`)
  for (const document of documents) {
    const judged = schema.safeParse(document)
    assert.ok(judged.success, `${name}: ${judged.error?.message}\n${said}`)
  }
  for (const form of forms) held.add(key(name, form))
  return documents as Printed[]
}

/** Every line on stderr is one of its documents, and one of them is the named one. */
function holdsOnStderr(name: OnStderr, words: string[], stderr: string): Printed[] {
  const documents = documentsIn(stderr)
  const fits = (one: OnStderr, document: unknown) => onStderr[one].safeParse(document).success
  const said = `${words.join(' ')}: ${stderr}`
  for (const document of documents) assert.ok(fits('error', document) || fits('notice', document), said)
  assert.ok(
    documents.some(document => fits(name, document)),
    said,
  )
  held.add(name)
  return documents as Printed[]
}

/** Runs a command with `--json` and holds its output; returns the last document. */
export function fitting({ loop, loopd }: Pick<Rig, 'loop' | 'loopd'>) {
  return async (name: Name, words: string[]): Promise<Printed> => {
    const [first, ...rest] = words
    const { stdout, stderr } = await (first === 'loopd'
      ? loopd([...rest, '--json'])
      : loop([...words, '--json']))
    const printed =
      name === 'error' || name === 'notice'
        ? holdsOnStderr(name, words, stderr)
        : holds(name, words, stdout || assert.fail(`${words.join(' ')}: nothing on stdout: ${stderr}`))
    return printed.at(-1) ?? assert.fail('Internal error: no document')
  }
}
