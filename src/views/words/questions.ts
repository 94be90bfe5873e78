/** What loop asks a person at a terminal: at a start, before it trusts a file, and while a loop or group runs. */
import { safeLine, safeText, spelledOut } from '../../core/text/plain-text.ts'
import { formatMoney } from '../../model/units.ts'

const onlyOnChange = 'You are asked again only when'

/** A question ends with its choices; the answer is typed behind them. */
export const startQuestions = {
  task: 'What is to be done? ',
  promise: 'When is it done? A command that exits 0 then; loop runs it itself.',
  promiseForm: (choices: string) =>
    `${choices === '' ? 'a command' : `${choices}, or a command of your own`}; Enter plans it first: `,
  agent: 'Which agent?',
  agentForm: (choices: string, usual: string | null) => `${choices}, or a name [${usual}] `,
  limit: (what: 'iterations' | 'dollars', usual: string | null) =>
    `At most how many ${what}? [${usual ?? 'none'}] `,
  same: (command: string) => `\nThe same as: ${command}\n`,
  go: 'Start it? [Y/n] ',
  state: 'Writing state to .loop/state.json. Delete after session? [y/N] ',
}

export const planQuestions = {
  resume: (id: string, status: string) =>
    `Plan ${id} is here (${status}): Resume / Start fresh / Status\nResume loop? [Y/n/status] `,
  iterations: 'Iterations? 10 (quick task) / 25 (medium feature) / 50 (large refactor) / unlimited [10] ',
  budget: 'Budget? $10 / $25 / $50 / none [25] ',
  taskList(open: readonly string[]) {
    const existing = open.length > 0 ? `existing (${open.map(spelledOut).join(', ')})` : 'existing'
    return `Task list? new / ${existing} / session-only [new] `
  },
}

/** Each shows everything that is agreed to. */
export const trustQuestions = {
  config(path: string, changed: boolean, settings: readonly string[]) {
    const why = changed ? 'has changed since you trusted it' : 'has not been trusted yet'
    return [`${spelledOut(path)} ${why}. It sets:`, ...settings, use('it', 'it changes')].join('\n')
  },
  shape(path: string, criteria: readonly { name: string; command: string | null }[]) {
    const lines = criteria.map(({ name, command }) =>
      safeLine(`  ${name}: ${command ?? 'a human confirms it'}`),
    )
    const about = `${spelledOut(path)} is not trusted. It names the commands that decide what is done:`
    return [about, ...lines, use('it', 'it changes')].join('\n')
  },
  workflow(path: string, changed: boolean, lines: readonly string[]) {
    const why = changed ? 'has changed since you trusted it' : 'is not trusted'
    const question = `Run it? ${onlyOnChange} it changes. [y/N] `
    return [`${spelledOut(path)} ${why}.`, ...lines.map(safeLine), question].join('\n')
  },
  /** With their whole text: it is told to every agent of the plan. */
  maxims(strange: readonly { path: string; text: string }[]) {
    const indented = (text: string) => safeText(text).trimEnd().replaceAll(/^/gm, '  ')
    return [
      'These maxims of the repository are not trusted:',
      ...strange.flatMap(({ path, text }) => [`${spelledOut(path)}:`, indented(text)]),
      use('them', 'they change'),
    ].join('\n')
  },
}

function use(what: string, when: string): string {
  return `Use ${what}? ${onlyOnChange} ${when}. [y/N] `
}

export const runQuestions = {
  agent: (question: string) => `The agent asks: ${safeLine(question)} [your answer] `,
  criterion: (name: string) => `Is this so: ${safeLine(name)}? [yes/no/what is wrong] `,
  /** The raised limits: `10 more iterations`, `another $25`, or both. */
  more(iterations: number | null, budgetUsd: number | null) {
    const raised = [
      ...(iterations === null ? [] : [`${iterations} more iterations`]),
      ...(budgetUsd === null ? [] : [`another ${formatMoney(budgetUsd)}`]),
    ]
    return `Go on with ${raised.join(' and ')}? [y/N] `
  },
  allTheSame: 'Go on all the same? [y/N] ',
  /** The input has ended. */
  untypable: (id: string) => `No more can be typed here. Answer with: loop answer ${id}`,
  unaskable: (id: string, why: string) =>
    `This cannot be asked here (${why}). Answer with: loop answer ${id}`,
}
