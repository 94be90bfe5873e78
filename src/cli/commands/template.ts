/** `loop template`: lists, shows, makes and runs templates, which are workflows with variables. */
import { fail, type Result } from '../../model/failure.ts'
import { nearest } from '../../options/nearest.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { createTemplate } from '../template/create.ts'
import { listTemplates, showTemplate } from '../template/show.ts'
import { runTemplate } from '../template/start-template.ts'

type Action = { takes: string; run(input: Input, name: string): Promise<Result<number>> | Result<number> }

const actions: Record<string, Action> = {
  list: { takes: '', run: listTemplates },
  show: { takes: '<name>', run: showTemplate },
  create: { takes: '<name>', run: createTemplate },
  run: { takes: '<name>', run: (input, name) => runTemplate(name, input) },
}

const template: CommandRun = async input => {
  const [asked = 'list', ...words] = input.positionals
  const action = Object.hasOwn(actions, asked) ? actions[asked] : undefined
  if (!action) {
    const names = Object.keys(actions)
    const near = nearest(asked, names)
    const hint = near ? `Did you mean: loop template ${near}` : `Give one of: ${names.join(', ')}.`
    return fail('invalid-arguments', `loop template has no ${asked}. ${hint}`)
  }
  const [name = '', ...more] = words
  if (more.length > 0 || (name === '') !== (action.takes === '')) {
    return fail('invalid-arguments', `The form is: ${`loop template ${asked} ${action.takes}`.trim()}`)
  }
  if (asked !== 'create' && input.value('from') !== null)
    return fail('invalid-arguments', '--from goes with loop template create.')
  return action.run(input, name)
}

export default template
