/** `loop workflow`: validates, draws and describes workflow files, and shows what they would run. */
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import { worstCase } from '../../core/workflow.ts'
import { workflowGraphJson } from '../../documents/workflow.ts'
import { problemLines } from '../../failures/workflow.ts'
import { exitCodeOf, ok, type Result } from '../../model/failure.ts'
import { count } from '../../model/units.ts'
import { readWord } from '../../options/values.ts'
import { workflowSchema } from '../../options/workflow/form.ts'
import { graphDot, graphFormats, graphMermaid, graphText, worstCaseWords } from '../../views/text/workflow.ts'
import { type ActionRows, actionOf } from '../action.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { out, outDocument, outFor } from '../terminal.ts'
import { launchWorkflow, loadWorkflow, lookAtWorkflow, sayProblems } from '../workflow/load.ts'

const actions: ActionRows = {
  run: { takes: '<file>', run },
  validate: { takes: '<file>', run: validate },
  graph: { takes: '<file>', run: graph },
  status: { takes: '<id>', run: status },
  schema: { takes: '', run: schema },
}

const workflow: CommandRun = async input => {
  const action = actionOf('loop workflow', actions, { typed: input.positionals, kind: 'form' })
  return action.ok ? action.value.run(input) : action
}

async function run(typed: Input, named = ''): Promise<Result<number>> {
  const loaded = await loadWorkflow(named, typed)
  return loaded.ok ? launchWorkflow(loaded.value) : loaded
}

/** An alias of `loop status`. */
async function status(input: Input, id = ''): Promise<Result<number>> {
  const shown = await import('./status.ts')
  return shown.default({ ...input, positionals: [id] })
}

function validate(input: Input, file = ''): Result<number> {
  const loaded = lookAtWorkflow(file, input)
  if (!loaded.ok) return loaded
  const { read } = loaded.value
  const { path } = loaded.value.file
  if ('problems' in read) {
    const { problems } = read
    outFor<'workflowValidated'>(
      input,
      { file: path, valid: false, problems },
      problemLines(problems).join('\n'),
    )
    return ok(exitCodeOf('invalid-config'))
  }
  const { name, loops } = read.workflow
  const most = worstCase(read.workflow)
  const needs = read.unset.map(variable => `--set ${variable}=…`)
  if (input.given('json')) {
    const ids = loops.map(({ id }) => id)
    outDocument<'workflowValidated'>({
      file: path,
      valid: true,
      problems: [],
      name,
      loops: ids,
      unset: read.unset,
      worstCase: most,
    })
    return ok(0)
  }
  const lines = [
    `${name}: ${count(loops.length, 'loop')}, no mistakes.`,
    ...(needs.length > 0 ? [`To run it, also give: ${needs.join(' ')}`] : []),
    worstCaseWords(most),
  ]
  out(lines.map(safeLine).join('\n'))
  return ok(0)
}

function graph(input: Input, file = ''): Result<number> {
  const format = readWord(input, 'format', graphFormats)
  if (!format.ok) return format
  const loaded = lookAtWorkflow(file, input)
  if (!loaded.ok) return loaded
  const { read } = loaded.value
  if ('problems' in read) return ok(sayProblems(read.problems, input))
  const drawn = read.workflow
  const isJson = input.given('json') || format.value === 'json'
  const texts = { text: graphText, mermaid: graphMermaid, dot: graphDot }
  if (isJson) outDocument<'workflowGraph'>(workflowGraphJson(drawn))
  else out(texts[format.value as keyof typeof texts](drawn).split('\n').map(spelledOut).join('\n'))
  return ok(0)
}

/** Always JSON: it is for editors. */
function schema(): Result<number> {
  out(JSON.stringify(workflowSchema(), null, 2))
  return ok(0)
}

export default workflow
