/** `loop template`: lists, shows, creates and runs templates, which are workflows with variables. */
import { fail, type Result } from '../../model/failure.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { createTemplate } from '../template/create.ts'
import { listTemplates, showTemplate } from '../template/show.ts'
import { runTemplate } from '../template/start-template.ts'
import { unknownAction } from '../unknown-action.ts'

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
  if (!action) return unknownAction('loop template', asked, Object.keys(actions))
  const [name = '', ...more] = words
  if (more.length > 0 || (name === '') !== (action.takes === '')) {
    return fail('invalid-arguments', { kind: 'form', form: `loop template ${asked} ${action.takes}`.trim() })
  }
  if (asked !== 'create' && input.value('from') !== null)
    return fail('invalid-arguments', { kind: 'from-without-create' })
  return action.run(input, name)
}

export default template
