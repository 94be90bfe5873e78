/**
 * Every command takes `--json`: each command, each of its actions and each flag that changes what is printed has a
 * document with a schema, or a written reason why not. No document names a command, an action or a flag that is not in
 * the tables.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printedDocuments, withoutDocument } from '../../../scripts/json-forms.ts'
import { type CommandDefinition, commands } from '../../../src/cli/command-table.ts'
import { daemonCommands } from '../../../src/cli/table/loopd.ts'

const rows = [...commands, ...daemonCommands]
const documented = Object.values(printedDocuments).flatMap(one => [...one.commands, ...one.perLine])
const forms = [...documented, ...Object.keys(withoutDocument)].map(form => form.split(' '))

/** Flags by which a command prints another document. */
const telling = [
  'announcements',
  'background',
  'diff',
  'dry-run',
  'foreground',
  'hook',
  'line',
  'restore',
  'rollback',
  'session',
  'template',
  'undo',
  'watch',
]

/** `status`, `loopd status` */
function named({ program, name }: CommandDefinition): string[] {
  return program ? [program, name] : [name]
}

/** `list | add <subject>`, `[add <text> | accept <id>]`: its first words; none without a choice of them. */
function actionsOf({ usage }: CommandDefinition): string[] {
  const [, ...rest] = usage.split(' ')
  const parts = rest.join(' ').split(' | ')
  return parts.length === 1 ? [] : parts.map(part => part.replace(/^\[/, '').split(' ')[0] ?? '')
}

/** `-b` and `--background` are the same. */
function hasFlag(form: string[], { flags }: CommandDefinition, flag: string): boolean {
  const short = flags.find(({ name }) => name === flag)?.short
  return form.some(word => word === `--${flag}` || (short !== undefined && word === `-${short}`))
}

function begins(form: string[], words: string[]): boolean {
  return words.every((word, i) => form[i]?.split('|').includes(word))
}

function formsOf(row: CommandDefinition): string[][] {
  return forms.filter(form => begins(form, named(row)))
}

for (const row of rows) {
  const name = named(row)
  const isReasoned = Object.hasOwn(withoutDocument, name.join(' '))

  test(`what ${name.join(' ')} --json prints has a schema, or a reason why not`, () => {
    assert.ok(formsOf(row).length > 0, name.join(' '))
    if (isReasoned) return
    for (const action of actionsOf(row))
      assert.ok(
        forms.some(form => begins(form, [...name, action])),
        `${name.join(' ')} ${action}`,
      )
    for (const { name: flag } of row.flags.filter(one => telling.includes(one.name)))
      assert.ok(
        formsOf(row).some(form => hasFlag(form, row, flag)),
        `${name.join(' ')} --${flag}`,
      )
  })
}

test('no document is of a command, an action or a flag that is not there', () => {
  for (const form of forms) {
    const row = rows.find(one => begins(form, named(one)))
    assert.ok(row, form.join(' '))
    const known = row.flags.flatMap(({ name, short = '' }) => [`--${name}`, `-${short}`])
    const [word = '<>'] = form.slice(named(row).length)
    const actions = actionsOf(row)
    for (const one of word.split('|'))
      assert.ok(!/^[a-z]/.test(one) || actions.includes(one), `${form.join(' ')}: ${one}`)
    for (const flag of form.filter(one => one.startsWith('-')))
      assert.ok(known.includes(flag), `${form.join(' ')}: ${flag}`)
  }
})
