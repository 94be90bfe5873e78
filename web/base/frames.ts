/**
 * Server-sent events as loopd writes them (server/api/stream): `event`, `id` and one line of JSON as `data`, then an
 * empty line. Comments, which keep a quiet connection open, are skipped.
 */

/** `id` is empty for a frame without one. */
export type FeedFrame = { event: string; id: string; data: unknown }

/** Ends with the stream, rejects if it breaks, and cancels it if the reader stops. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<FeedFrame> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const pieces = (text + value).split('\n\n')
      text = pieces.pop() ?? ''
      yield* pieces.flatMap(frameOf)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Nothing for a comment. */
function frameOf(piece: string): FeedFrame[] {
  const fields = new Map(piece.split('\n').map(cut))
  const data = fields.get('data')
  if (data === undefined) return []
  return [{ event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) }]
}

function cut(line: string): [string, string] {
  const at = line.indexOf(': ')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)]
}
