/** The form for a plan: the text, its score for clarity, and the questions that will be asked before any work. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { scoreSpec } from '../../../src/core/score.ts'
import { shapeWords } from '../../../src/views/words/message.ts'
import { askLoopd } from '../../base/api.ts'
import { useSubmit } from '../../base/submit.ts'
import { begun } from '../begun.ts'
import { type FormProps, optionsOf } from '../filled.ts'
import { FormFrame } from '../form-frame.tsx'
import { OptionsOf } from '../more-options.tsx'
import { TerminalCard } from '../terminal-card.tsx'
import { TextField } from '../text-field.tsx'
import { TreeField } from '../tree-field.tsx'

export function PlanForm({ filled, set }: FormProps): JSX.Element {
  const [isSure, setSure] = useState(false)
  const { cwd, prompt: text } = filled
  const isReady = cwd.startsWith('/') && text.trim() !== ''
  const { isBusy, submit } = useSubmit(async () =>
    begun(await askLoopd('runPlan', { body: { cwd, text, yes: isSure, options: optionsOf(filled) } })),
  )
  return (
    <FormFrame
      submit={submit}
      yes="Start the plan"
      canStart={isReady && !isBusy}
      side={
        <>
          <Scored text={text} />
          <TerminalCard
            filled={filled}
            words={isReady ? ['plan', text] : null}
            switches={['ask-later', ...(isSure ? ['yes'] : [])]}
            missing="Name a directory and the work: the command then appears here."
          />
        </>
      }
    >
      <TreeField value={cwd} set={next => set({ cwd: next })} />
      <TextField
        label="What is to be done"
        placeholder="Add a /health endpoint to server.js that returns 200; no new dependencies; all tests pass"
        value={text}
        set={prompt => set({ prompt })}
      />
      <label class="check">
        <input type="checkbox" checked={isSure} onChange={event => setSure(event.currentTarget.checked)} />
        <span>
          Go on without asking me at its gates
          <span class="hint block quiet small">
            You are still asked about changes that are hard to take back, findings and consent.
          </span>
        </span>
      </label>
      <OptionsOf what="plan" filled={filled} set={set} open="agent" />
    </FormFrame>
  )
}

const next: Record<ReturnType<typeof scoreSpec>['shape'], string> = {
  tool: 'Nothing is asked: it is done, reviewed and verified.',
  'tool-review': 'You are asked after the plan is made, and before it is done.',
  colleague: 'You are asked after the plan, after each wave, and before it is done.',
  blocked: 'It asks you first about what is missing, on its page.',
}

function Scored({ text }: { text: string }): JSX.Element {
  const { score, shape, dimensions } = useMemo(() => scoreSpec(text), [text])
  return (
    <section class="card" aria-label="How clear it is" aria-live="polite">
      <div class="card-head">
        <h2 class="grow">How clear it is</h2>
        <span class="quiet">{text.trim() === '' ? '' : shapeWords({ shape, score })}</span>
      </div>
      <div class="card-body stack">
        {text.trim() === '' ? (
          <p class="quiet">The text is scored as you type; no agent is asked for it.</p>
        ) : (
          <>
            <p>{next[shape]}</p>
            <dl class="facts">
              {dimensions.map(({ dimension, points, reason, raise }) => (
                <div key={dimension} class="contents">
                  <dt>
                    {dimension} {points}/2
                  </dt>
                  <dd>
                    {reason}
                    {raise !== null && <span class="hint block quiet small">better: {raise}</span>}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </section>
  )
}
