/** The frame around every page, and the page of each path. Pages other than the first are loaded later. */
import type { ComponentType, JSX } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { useCell } from '../base/cell.ts'
import { link } from '../base/feed.ts'
import { usePlace } from '../base/router.ts'
import { ListPage } from '../list/list-page.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import { useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Palette } from './palette.tsx'
import { Side } from './side.tsx'
import { Toasts } from './toasts.tsx'

export function App(): JSX.Element {
  const [over, setOver] = useState<'palette' | 'keys' | null>(null)
  useKeys({ palette: () => setOver('palette'), keys: () => setOver('keys') })
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <div class="shell">
        <Side openPalette={() => setOver('palette')} />
        <div class="main">
          <Connection />
          <main id="content" tabIndex={-1}>
            <Guarded />
          </main>
        </div>
      </div>
      {over === 'palette' && <Palette close={() => setOver(null)} />}
      {over === 'keys' && <KeysDialog close={() => setOver(null)} />}
      <Toasts />
    </>
  )
}

/** A warning above every page while loopd cannot be reached: the page may be out of date. */
function Connection(): JSX.Element | null {
  const state = useCell(link)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    const timer = window.setTimeout(setLong, 1_200, true)
    return () => window.clearTimeout(timer)
  }, [state])
  if (state === 'signed-out') {
    return (
      <div class="banner" role="alert">
        <Icon name="warn" /> This browser is no longer signed in. Open the page with: <code>loop ui</code>
      </div>
    )
  }
  if (state !== 'lost' || !isLong) return null
  return (
    <div class="banner" role="status">
      <Icon name="warn" /> loopd does not answer; trying again. What is shown may be old. Agents go on without
      it.
    </div>
  )
}

/** A page that fails says so; all others, and the frame, go on. */
function Guarded(): JSX.Element {
  const { path } = usePlace()
  const [error, reset] = useErrorBoundary()
  useEffect(reset, [path])
  if (error === undefined) return <Page />
  return (
    <div class="page">
      <FailureNote
        refused={{ message: `This page has failed, which is a mistake in loop: ${error}` }}
        retry={() => window.location.reload()}
      />
    </div>
  )
}

type PageProps = { id: string; tab: string }
type Lazy = () => Promise<ComponentType<PageProps>>

const lazy: Record<string, Lazy> = {
  loops: async () => (await import('../journal/journal-page.tsx')).JournalPage,
  start: async () => (await import('../start/start-page.tsx')).StartPage,
  machine: async () => (await import('../machine/machine-page.tsx')).MachinePage,
  report: async () => (await import('../machine/report-page.tsx')).ReportPage,
}

const loaded = new Map<string, ComponentType<PageProps>>()

function Page(): JSX.Element {
  const { path } = usePlace()
  const [, name = '', id = '', tab = ''] = path.split('/')
  const [, redraw] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const Known = loaded.get(name)
  useEffect(() => {
    const load = lazy[name]
    if (!load || loaded.has(name)) return
    setFailure(null)
    load().then(
      page => {
        loaded.set(name, page)
        redraw(n => n + 1)
      },
      // After an update of loop, the files of the older version are gone.
      () => setFailure('A part of the page could not be loaded.'),
    )
  }, [name])
  if (name === '' || name === 'index.html') return <ListPage />
  if (Known) return <Known key={`${name}/${id}`} id={id} tab={tab} />
  if (failure) {
    return (
      <div class="page">
        <FailureNote refused={{ message: failure }} retry={() => window.location.reload()} />
      </div>
    )
  }
  if (lazy[name]) return <Loading what="the page" />
  return (
    <Empty title="There is no such page" isPage>
      <p>
        Go to <a href="/">the list of loops</a>.
      </p>
    </Empty>
  )
}
