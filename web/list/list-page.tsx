/** The list of all loops: those that need a person first, then running, queued and finished ones. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useCell } from '../base/cell.ts'
import { findFurther, type LoopListing, listing } from '../base/list.ts'
import { goTo, setQuery, usePlace } from '../base/router.ts'
import { Choose } from '../parts/choose.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import { VirtualList } from '../parts/virtual.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { setTitle } from '../shell/title.ts'
import { Bell } from './bell.tsx'
import { FirstLoop } from './first-loop.tsx'
import {
  countsOf,
  type Line,
  type ListFilter,
  type ListSection,
  listLines,
  listSections,
  type Sort,
  sorts,
} from './lines.ts'
import { LoopRow } from './loop-row.tsx'

const heights = { head: 38, row: 58, member: 44 }

export function ListPage(): JSX.Element {
  const all = useCell(listing)
  const { query } = usePlace()
  const [isOpen, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState<number | null>(null)
  const search = useRef<HTMLInputElement>(null)
  const filter = filterOf(query)
  const lines = useMemo(() => listLines(all.rows, filter, isOpen), [all.rows, query.toString(), isOpen])
  useEffect(() => setTitle('Loops'), [])
  const words = filter.text.trim()
  const isWhole = all.rows.size >= all.total
  useEffect(() => (words === '' || isWhole ? undefined : findFurther(words)), [words, isWhole])
  const toggle = (id: string) => setOpen(now => toggled(now, id))
  const move = (step: number) => setAt(now => nextRow(lines, now, step))
  const chosen = at === null ? undefined : lines[at]
  usePageKeys([
    { key: 'j', words: 'next loop', run: () => move(1) },
    { key: 'k', words: 'loop before', run: () => move(-1) },
    {
      key: 'Enter',
      words: 'open the loop',
      run: () => chosen && chosen.kind !== 'head' && goTo(`/loops/${chosen.row.id}`),
    },
    {
      key: 'e',
      words: 'show or hide the members of a group',
      run: () => chosen?.kind === 'row' && toggle(chosen.row.id),
    },
    { key: '/', words: 'search the list', run: () => search.current?.focus() },
    { key: 'n', words: 'start a loop', run: () => goTo('/start') },
  ])
  return (
    <div class="page list-page">
      <ListHead all={all} filter={filter} search={search} />
      <ListBody all={all} lines={lines} at={at} toggle={toggle} isOpen={isOpen} />
    </div>
  )
}

type HeadProps = { all: LoopListing; filter: ListFilter; search: { current: HTMLInputElement | null } }

function ListHead({ all, filter, search }: HeadProps): JSX.Element {
  const counts = countsOf(all.rows)
  const choices = [
    ['', `All ${all.total}`] as const,
    ...listSections.map(([name, words]) => [name, `${words} ${counts[name]}`] as const),
  ]
  return (
    <>
      <div class="page-head">
        <h1>Loops</h1>
        <span class="grow" />
        <Bell />
        <Link to="/start" class="button primary">
          <Icon name="plus" /> Start a loop
        </Link>
      </div>
      <div class="row wrap list-tools">
        <Choose
          label="Which loops"
          value={filter.section}
          choices={choices}
          choose={section => setQuery({ show: section })}
        />
        <span class="grow" />
        <div class="search list-search">
          <Icon name="search" size={14} />
          <input
            ref={search}
            class="input"
            type="search"
            aria-label="Search the list"
            placeholder="Prompt, id, directory, agent"
            value={filter.text}
            onInput={event => setQuery({ q: event.currentTarget.value })}
            onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
        <select
          class="input list-sort"
          aria-label="Sort"
          value={filter.sort}
          onChange={event => setQuery({ sort: event.currentTarget.value })}
        >
          {sorts.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}

type BodyProps = {
  all: LoopListing
  lines: readonly Line[]
  at: number | null
  isOpen: ReadonlySet<string>
  toggle(id: string): void
}

function ListBody({ all, lines, at, toggle, isOpen }: BodyProps): JSX.Element {
  const tall = useMemo(() => lines.map(({ kind }) => heights[kind]), [lines])
  if (all.failure !== null && !all.isLoaded) return <FailureNote refused={{ message: all.failure }} />
  if (!all.isLoaded) return <Loading what="the loops" />
  if (all.rows.size === 0) return <FirstLoop />
  if (lines.length === 0) {
    return (
      <Empty title="No loop matches">
        <button type="button" class="button" onClick={() => setQuery({ q: '', show: '' })}>
          Show all loops
        </button>
      </Empty>
    )
  }
  const render = (index: number) => {
    const line = lines[index]
    if (!line) return <span />
    if (line.kind === 'head') {
      return (
        <h2 class="list-section">
          {line.words} <span class="count">{line.count}</span>
        </h2>
      )
    }
    return (
      <LoopRow
        row={line.row}
        isMember={line.kind === 'member'}
        isChosen={index === at}
        isOpen={isOpen.has(line.row.id)}
        toggle={toggle}
      />
    )
  }
  return (
    <VirtualList heights={tall} render={render} keyOf={i => keyOf(lines[i], i)} label="Loops" shown={at} />
  )
}

function keyOf(line: Line | undefined, index: number): string {
  if (!line) return String(index)
  return line.kind === 'head' ? `head-${line.words}` : `${line.kind}-${line.row.id}`
}

function filterOf(query: URLSearchParams): ListFilter {
  const sort = sorts.find(([name]) => name === query.get('sort'))?.[0] ?? 'attention'
  const section = listSections.find(([name]) => name === query.get('show'))?.[0] ?? ''
  return { text: query.get('q') ?? '', section: section as ListSection | '', sort: sort as Sort }
}

function toggled(now: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(now)
  if (!next.delete(id)) next.add(id)
  return next
}

function nextRow(lines: readonly Line[], now: number | null, step: number): number | null {
  let next = now === null ? (step > 0 ? -1 : lines.length) : now
  do next += step
  while (lines[next]?.kind === 'head')
  return next >= 0 && next < lines.length ? next : now
}
