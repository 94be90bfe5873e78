/**
 * `_context.md` of a run: what was agreed before the work (Pre-Context) and its outcome (Post-Context). It tells the
 * planner of later work what was assumed, and what turned out differently.
 */
import { type PlanDocument, planDocuments } from '../../core/plan/waves.ts'
import { oneLine, safeText } from '../../core/text/plain-text.ts'

export type ContextDeviation = { before: string; found: string; adjustment: string }

/** An intervention by a person: an injection, an answer, a rollback, a manual checkpoint. */
export type ContextIntervention = { at: string; what: string; text: string }

export type RunContext = {
  /** The rounds of questions and the answers at gates, in order. */
  turns: readonly { attempt: string; feedback: string }[]
  goal: string
  scope: string
  constraints: readonly string[]
  assumptions: readonly string[]
  /** The paths of the written documents. */
  documents: Partial<Record<PlanDocument, string>>
  /** Null until the work is over; an empty list means "no deviation". */
  deviations: readonly ContextDeviation[] | null
  interventions: readonly ContextIntervention[]
}

export function contextPage(context: RunContext): string {
  const { turns, documents, interventions } = context
  const lines = [
    '# Conversation Context',
    '',
    '## Pre-Context',
    '',
    '### Interaction History',
    '',
    '| Turn | Model Attempt | User Feedback |',
    '|------|--------------|---------------|',
    ...turns.map(({ attempt, feedback }, at) => `| ${at + 1} | ${cell(attempt)} | ${cell(feedback)} |`),
    '',
    '### Final Consensus',
    `- Goal: ${oneLine(context.goal)}`,
    `- Scope: ${oneLine(context.scope)}`,
    `- Constraints: ${context.constraints.map(oneLine).join('; ') || 'none'}`,
    '',
    '### Understanding & Assumptions',
    ...bullets(context.assumptions, 'none'),
    '',
    '### Document References',
    '| Type | Path |',
    '|------|------|',
    ...planDocuments.map(type => `| ${type} | ${cell(documents[type] ?? 'none')} |`),
    '',
    '---',
    '',
    '## Post-Context',
    '',
    '> If execution matches the plan, leave blank or note "no deviation".',
    '',
    '### Deviations',
    ...deviationLines(context.deviations),
    '',
    '### Interventions',
    ...interventions.map(({ at, what, text }) => `- ${at} ${what}${text === '' ? '' : `: ${cell(text)}`}`),
  ]
  return `${safeText(lines.join('\n')).trimEnd()}\n`
}

function deviationLines(deviations: readonly ContextDeviation[] | null): string[] {
  if (deviations === null) return []
  if (deviations.length === 0) return ['no deviation']
  return deviations.flatMap(({ before, found, adjustment }) => [
    `- Before: ${oneLine(before)}`,
    `- Found: ${oneLine(found)}`,
    `- Adjustment: ${oneLine(adjustment)}`,
  ])
}

function bullets(texts: readonly string[], none: string): string[] {
  return texts.length === 0 ? [`- ${none}`] : texts.map(text => `- ${oneLine(text)}`)
}

/** The text as one line that does not break a table's cell. */
function cell(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 500)
}
