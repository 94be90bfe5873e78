/** The open question of a loop, and the answer of a person: by a button or in words. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { sendCommand } from '../../base/command.ts'
import { useSubmit } from '../../base/submit.ts'
import { Icon } from '../../parts/icon.tsx'

type Asking = { question: string | null; agentAsks: boolean }

export function Question({ id, summary }: { id: string; summary: Asking }): JSX.Element {
  const { agentAsks, question } = summary
  return (
    <AskCard head={agentAsks ? 'The agent asks' : 'Is this so?'} text={question ?? ''}>
      {!agentAsks && (
        <div class="row wrap">
          <AnswerButton id={id} words="yes" isFirst />
          <AnswerButton id={id} words="no" />
        </div>
      )}
      {agentAsks ? (
        <OwnWords id={id} label="Your answer" />
      ) : (
        <OwnWords id={id} label="What is wrong" placeholder="No, because …" />
      )}
    </AskCard>
  )
}

type CardProps = { head: string; text?: string; aside?: string | undefined; children: ComponentChildren }

/** The frame of every question that only a person can answer. */
export function AskCard({ head, text, aside, children }: CardProps): JSX.Element {
  return (
    <section class="card ask" aria-label="A question for you">
      <div class="ask-head">
        <Icon name="ask" />
        <h2 class="grow">{head}</h2>
        {aside !== undefined && <span class="small">{aside}</span>}
      </div>
      <div class="card-body stack">
        {text !== undefined && <p class="question-text">{text}</p>}
        {children}
      </div>
    </section>
  )
}

type ButtonProps = { id: string; words: string; label?: string; isFirst?: boolean; letter?: string }

/** `label`: the text of the button, if it differs from the answer. */
export function AnswerButton({ id, words, label = words, isFirst, letter }: ButtonProps): JSX.Element {
  const { isBusy, submit } = useSubmit(() =>
    sendCommand(id, { kind: 'answer', by: 'you', text: words }, 'Answered.'),
  )
  return (
    <button
      type="button"
      class={`button ${isFirst ? 'primary' : ''} ${letter === undefined ? '' : 'lettered'}`}
      disabled={isBusy}
      onClick={submit}
    >
      {letter !== undefined && <kbd aria-hidden="true">{letter}</kbd>}
      {label}
    </button>
  )
}

type WordsProps = { id: string; label: string; placeholder?: string; send?: string }

export function OwnWords({ id, label, placeholder = label, send = 'Answer' }: WordsProps): JSX.Element {
  const [text, setText] = useState('')
  const name = useId()
  const { isBusy, submit } = useSubmit(
    () => sendCommand(id, { kind: 'answer', by: 'you', text }, 'Answered.'),
    () => setText(''),
  )
  return (
    <form class="row wrap" onSubmit={submit}>
      <label class="unseen" for={name}>
        {label}
      </label>
      <input
        id={name}
        class="input grow"
        placeholder={placeholder}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={isBusy || text.trim() === ''}>
        {send}
      </button>
    </form>
  )
}
