/** The head of a loop's and of a group's page: where it belongs, its words, what can be done, its status and why. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link } from '../parts/link.tsx'
import { StatusBadge } from '../parts/status.tsx'

type Props = {
  id: string
  /** The group that it is a member of. */
  group?: string | undefined
  words: string
  actions: JSX.Element
  status: string
  why: string
  /** The figures that matter. */
  children: ComponentChildren
}

export function JournalHead({ id, group, words, actions, status, why, children }: Props): JSX.Element {
  return (
    <header class="loop-head">
      <div class="row crumbs small">
        <Link to="/">Loops</Link> <Slash />
        {group !== undefined && (
          <>
            <Link to={`/loops/${group}`}>{group}</Link> <Slash />
          </>
        )}
        <code>{id}</code>
      </div>
      <div class="loop-head-main">
        <Title text={words} />
        {actions}
      </div>
      <p class="loop-why">
        <StatusBadge status={status} />
        <span>{why}</span>
      </p>
      <dl class="figures">{children}</dl>
    </header>
  )
}

function Slash(): JSX.Element {
  return <span aria-hidden="true">/</span>
}

/** Two lines of it; a button for the rest where there is one. */
function Title({ text }: { text: string }): JSX.Element {
  const head = useRef<HTMLHeadingElement>(null)
  const [isWhole, setWhole] = useState(false)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    const element = head.current
    if (!element || isWhole) return
    const look = () => setCut(element.scrollHeight > element.clientHeight + 1)
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [text, isWhole])
  return (
    <div class="grow">
      <h1 ref={head} class={isWhole ? 'prompt whole' : 'prompt'}>
        {text}
      </h1>
      {isCut && (
        <button
          type="button"
          class="button plain small"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Less' : 'Whole text'}
        </button>
      )}
    </div>
  )
}
