/**
 * The question of a group to a person: a gate of a workflow or plan, a choice among attempts, an open point of a spec,
 * a finding, consent. The node has the possible answers; `admit` decides whether an answer is accepted.
 */
import type { JSX } from 'preact'
import { type GroupState, openGate } from '../../src/core/group/state.ts'
import { questionOf } from '../../src/core/group/values.ts'
import type { NodeOf } from '../../src/model/group/node.ts'
import { AnswerButton, AskCard, OwnWords } from '../run/act/question.tsx'
import { FindingCard } from './plan/finding-card.tsx'
import { findingCalled } from './plan/findings.ts'

type Gate = NodeOf<'gate'>

export function GateCard({ state }: { state: GroupState }): JSX.Element | null {
  const gate = openGate(state)?.node
  if (!gate) return null
  if (gate.asks === 'finding') return <FindingGate state={state} gate={gate} />
  const text = questionOf(state) ?? gate.question
  return (
    <AskCard head={headOf(gate)} text={gate.options ? firstLine(text) : text} aside={placeOf(state, gate)}>
      {gate.options ? <Lettered id={state.id} options={gate.options} /> : <Words id={state.id} gate={gate} />}
    </AskCard>
  )
}

function headOf({ asks, id, choices }: Gate): string {
  switch (asks) {
    case 'gate':
      if (id.startsWith('G1')) return 'The plan is made. Carry it out?'
      return id.startsWith('G2') ? 'A wave is done. Continue?' : 'Is it done?'
    case 'recall':
      return 'Learnt here before. Use it now?'
    case 'intent':
      return 'What you want is not clear yet'
    case 'type-1':
      return 'This is hard to take back'
    case 'confirm':
      return 'Is this so?'
    case 'learn':
      return 'Remember this?'
    default:
      return choices.length > 0 ? 'It asks you' : 'It waits for you'
  }
}

/** The number of this question among those of its round. */
function placeOf({ nodes }: GroupState, { id, asks }: Gate): string | undefined {
  if (asks !== 'intent') return undefined
  const round = id.slice(0, id.lastIndexOf('/') + 1)
  const all = nodes.map(({ node }) => node.id).filter(name => name.startsWith(round))
  return `${all.indexOf(id) + 1} of ${all.length}`
}

/** Without the options: they are buttons below. */
function firstLine(text: string): string {
  return text.split('\n')[0] ?? text
}

function Lettered({ id, options }: { id: string; options: readonly string[] }): JSX.Element {
  return (
    <>
      <div class="stack tight">
        {options.map((words, i) => (
          <AnswerButton key={words} id={id} words={words} letter={String.fromCharCode(97 + i)} />
        ))}
      </div>
      <OwnWords id={id} label="Your own answer" placeholder="Or in your own words" />
    </>
  )
}

function Words({ id, gate }: { id: string; gate: Gate }): JSX.Element {
  const words = gate.choices.length > 0 ? gate.choices : ['yes', 'no']
  const hint = gate.id.startsWith('G1') ? 'No: change the plan like this …' : 'Another answer'
  return (
    <>
      <div class="row wrap">
        {words.map((word, i) => (
          <AnswerButton key={word} id={id} words={word} isFirst={i === 0} />
        ))}
      </div>
      {gate.free && <OwnWords id={id} label="Your own answer" placeholder={hint} />}
    </>
  )
}

function FindingGate({ state, gate }: { state: GroupState; gate: Gate }): JSX.Element {
  const finding = findingCalled(state, gate.id.slice('finding/'.length))
  if (!finding)
    return (
      <AskCard head="What to do with this finding?" text={firstLine(gate.question)}>
        <Lettered id={state.id} options={gate.options ?? []} />
      </AskCard>
    )
  return (
    <AskCard head="What to do with this finding?">
      <FindingCard state={state} finding={finding} />
    </AskCard>
  )
}
