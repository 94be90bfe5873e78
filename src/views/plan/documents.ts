/**
 * The other files of a run: `_meta.md`, and `requirements.md`, `design.md`, `plan.md` if the size of the work needs
 * them (core/plan/waves). A document's text is the model's; loop adds the facts around it.
 */
import { type PlanDocument, phaseReasons } from '../../core/plan/waves.ts'
import { oneLine, safeText } from '../../core/text/plain-text.ts'
import type { PlanShape } from '../../model/plan.ts'

export type RunMeta = {
  slug: string
  goal: string
  /** The phases of the work, such as "plan → tasks"; the session hook calls it the pipeline. */
  pipeline: string
  created: string
  /** The id of its journal, and the list of its tasks. */
  loop?: string
  taskList?: string
}

export function metaPage({ slug, goal, pipeline, created, loop, taskList }: RunMeta): string {
  const lines = [
    `# ${oneLine(slug)}`,
    '',
    `- goal: ${goal.replaceAll(/\s+/g, ' ').trim().slice(0, 500)}`,
    `- pipeline: ${oneLine(pipeline)}`,
    `- created: ${created}`,
    ...(loop === undefined ? [] : [`- loop: ${loop}`]),
    ...(taskList === undefined ? [] : [`- task list: ${oneLine(taskList)}`]),
  ]
  return `${safeText(lines.join('\n'))}\n`
}

const titles: Record<PlanDocument, string> = { requirements: 'Requirements', design: 'Design', plan: 'Plan' }

/** `text`: the model's text, without a title. */
export function documentPage(document: PlanDocument, shape: PlanShape, text: string): string {
  const body = text.replace(/^\s*#[^\n]*\n+/, '').trim()
  return `${safeText([`# ${titles[document]}: ${oneLine(shape.goal)}`, '', ...held(document, shape), '', body].join('\n'))}\n`
}

function held(document: PlanDocument, shape: PlanShape): string[] {
  switch (document) {
    case 'requirements':
      return [
        `Scope: ${oneLine(shape.scope)}`,
        '',
        '## Criteria',
        '',
        ...shape.criteria.map(({ name, verification }) => `- ${oneLine(name)} (${verification})`),
        '',
        '## Must not',
        '',
        ...shape.mustNot.map(({ name }) => `- ${oneLine(name)}`),
        '',
        '## In words',
      ]
    case 'design':
      return [
        `Chosen against: ${shape.alt ?? 'nothing else was weighed'}`,
        `Risk: ${shape.risk ?? 'none named'}`,
      ]
    case 'plan':
      return [`Phases: ${shape.phases} (${phaseReasons[shape.phases]})`]
    default:
      return document satisfies never
  }
}
