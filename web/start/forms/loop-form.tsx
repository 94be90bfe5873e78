/** The form for a loop, or for several attempts: directory, prompt, promise and every option of the table. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { askLoopd } from '../../base/api.ts'
import { useSubmit } from '../../base/submit.ts'
import { begun } from '../begun.ts'
import { bodyOf, type Filled, type FormProps } from '../filled.ts'
import { FormFrame } from '../form-frame.tsx'
import { OptionsOf } from '../more-options.tsx'
import { PromiseField } from '../promise-field.tsx'
import { Resolved } from '../resolved.tsx'
import { TextField } from '../text-field.tsx'
import { TreeField } from '../tree-field.tsx'
import { TrustNote } from '../trust-note.tsx'

export function LoopForm({ filled, set }: FormProps): JSX.Element {
  const [trust, setTrust] = useState<string | null>(null)
  const { isBusy, submit } = useSubmit(() => start(filled, trust))
  const isReady =
    filled.cwd.startsWith('/') &&
    filled.prompt.trim() !== '' &&
    filled.promises.some(text => text.trim() !== '')
  return (
    <FormFrame
      submit={submit}
      yes={filled.kind === 'best-of' ? 'Start the attempts' : 'Start the loop'}
      canStart={isReady && !isBusy}
      side={<Resolved filled={filled} isReady={isReady} />}
    >
      <TreeField value={filled.cwd} set={cwd => set({ cwd })} />
      <TextField
        label="What the agent is to do"
        placeholder="Fix the failing tests of the shopping cart"
        value={filled.prompt}
        set={prompt => set({ prompt })}
      />
      <PromiseField cwd={filled.cwd} promises={filled.promises} set={promises => set({ promises })} />
      <OptionsOf
        what="start"
        filled={filled}
        set={set}
        open={filled.kind === 'best-of' ? 'attempts' : 'agent'}
      />
      <TrustNote cwd={filled.cwd} trust={trust} set={setTrust} />
    </FormFrame>
  )
}

async function start(filled: Filled, trust: string | null): Promise<boolean> {
  const body = { ...bodyOf(filled), ...(trust !== null && { trust_config: trust }) }
  return begun(await askLoopd('start', { body }))
}
