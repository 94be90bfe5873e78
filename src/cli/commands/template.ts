/** `loop template`: lists, shows, creates and runs templates, which are workflows with variables. */
import { invalid } from '../../model/failure.ts'
import { type ActionRows, actionOf } from '../action.ts'
import type { CommandRun } from '../command-table.ts'
import { createTemplate } from '../workflow/create-template.ts'
import { runTemplate } from '../workflow/start-template.ts'
import { listTemplates, showTemplate } from '../workflow/templates.ts'

const actions: ActionRows = {
  list: { takes: '', run: listTemplates },
  show: { takes: '<name>', run: showTemplate },
  create: { takes: '<name>', run: createTemplate },
  run: { takes: '<name>', run: (input, name = '') => runTemplate(name, input) },
}

const template: CommandRun = async input => {
  const typed = input.positionals.length > 0 ? input.positionals : ['list']
  const action = actionOf('loop template', actions, { typed, kind: 'form' })
  if (!action.ok) return action
  if (action.value.name !== 'create' && input.value('from') !== null)
    return invalid({ kind: 'from-without-create' })
  return action.value.run(input)
}

export default template
