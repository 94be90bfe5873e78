/**
 * Server-sent events: the sources of the feed as frames. The next frames are made when the reader has taken the
 * previous ones, so a slow reader costs one piece of memory.
 */

import { plainText } from '../../core/text/plain-text.ts'
import { type Output, type OutputPiece, outputFrom } from '../../engine/feed/output.ts'
import { changesOf, eventsAfter, type Followed, type Source } from '../../engine/feed/source.ts'
import { redactText, type Secret } from '../../secrets/redact.ts'
import type { Display } from './display.ts'

/** `loop`: the loop whose secrets are also removed. */
export type Frame = { event: string; id?: string; data: unknown; loop?: string }

export type FrameSource = Source<Frame>

type Wire = { display: Pick<Display, 'json'>; ended(): void }

export function eventStream(source: FrameSource, { display, ended }: Wire): Response {
  const stop = new AbortController()
  const encoder = new TextEncoder()
  const close = () => {
    if (stop.signal.aborted) return
    stop.abort()
    ended()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const frames = await source(stop.signal)
          if (frames)
            controller.enqueue(
              encoder.encode(frames.map(frame => textOf(frame, display)).join('') || ': still here\n\n'),
            )
          else {
            controller.close()
            close()
          }
        } catch (error) {
          close()
          controller.error(error)
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** JSON has no raw newline, so one line of data is always enough. */
function textOf({ event, id, data, loop = '' }: Frame, { json }: Wire['display']): string {
  const text = json(data, { loop: loop || null })
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`
}

function framesOf<T>(source: Source<T>, frames: (item: T) => Frame[]): FrameSource {
  return async signal => (await source(signal))?.flatMap(frames) ?? null
}

/** Every event of a loop after `after`, as it occurs. */
export function eventFrames(followed: Followed, loop: string, after: number): FrameSource {
  return framesOf(eventsAfter(followed, loop, after), item => [
    'kind' in item
      ? { event: 'event', id: String(item.seq), data: item, loop }
      : { event: 'failure', data: item, loop },
  ])
}

/** All open loops and groups; then each that changes, together with its group, whose row shows it too. */
export function loopFrames(
  followed: Followed,
  show: (id: string) => unknown,
  groupOf: (id: string) => string | null = () => null,
): FrameSource {
  let isReady = false
  return framesOf(changesOf(followed), ids => {
    const all = new Set([...ids, ...ids.flatMap(id => groupOf(id) ?? [])])
    const shown: Frame[] = Array.from(all, id => ({ event: 'loop', data: show(id) }))
    if (!isReady) shown.push({ event: 'ready', data: { loops: all.size } })
    isReady = true
    return shown
  })
}

type Shown = Output & { secrets: readonly Secret[] }

/** The output of a run from byte `from` until the run has ended. */
export function outputFrames(output: Shown, from: number): FrameSource {
  const plain = plainText()
  return framesOf(outputFrom(output, from), piece => [
    {
      event: piece.kind,
      id: String(piece.at),
      data: dataOf(piece, text => redactText(plain(text), output.secrets)),
    },
  ])
}

function dataOf(piece: OutputPiece, clean: (text: string) => string): unknown {
  switch (piece.kind) {
    case 'gap':
      return { bytes: piece.left }
    case 'output':
      return { text: clean(piece.bytes.toString('utf8')) }
    case 'end':
      return { bytes: piece.at }
  }
}
