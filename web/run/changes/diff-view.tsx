/**
 * The diff of one file: unified on a phone, side by side on a wide screen. A click on a line number opens a comment.
 */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type DiffLine, type Hunk, hunksOf } from './patch.ts'

/** `comment` is undefined once the agent can no longer be told anything. */
type Props = { patch: string; isSplit: boolean; comment?: ((line: DiffLine) => void) | undefined }

/** Lines that are drawn at first, and with each click more: a browser is slow with tens of thousands. */
const [atFirst, atOnce] = [2_000, 5_000]

export function DiffView({ patch, isSplit, comment }: Props): JSX.Element {
  const hunks = useMemo(() => hunksOf(patch), [patch])
  const [most, setMost] = useState(atFirst)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  if (hunks.length === 0)
    return (
      <p class="diff-none quiet small">
        {patch.includes('Binary files')
          ? 'A binary file.'
          : 'No line has changed: only the mode or the name of the file, or that it exists.'}
      </p>
    )
  return (
    <div class="diff" data-split={isSplit} tabIndex={0} role="region" aria-label="Changed lines">
      <table>
        {upTo(hunks, most).map((hunk, i) => (
          <tbody key={i}>
            <tr class="diff-head">
              <td colSpan={4}>{hunk.head}</td>
            </tr>
            {isSplit
              ? splitRows(hunk).map(([left, right], k) => (
                  <SplitRow key={k} left={left} right={right} comment={comment} />
                ))
              : hunk.lines.map((line, k) => <Row key={k} line={line} comment={comment} />)}
          </tbody>
        ))}
      </table>
      {total > most && (
        <p class="diff-more">
          <button type="button" class="button small" onClick={() => setMost(most + atOnce)}>
            Show more of {total} lines
          </button>
        </p>
      )}
    </div>
  )
}

function upTo(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most
  return hunks.flatMap(hunk => {
    const lines = hunk.lines.slice(0, Math.max(0, left))
    left -= lines.length
    return lines.length === 0 ? [] : [{ ...hunk, lines }]
  })
}

const signs = { same: ' ', add: '+', del: '-' } as const

type Commenting = Pick<Props, 'comment'>

function Row({ line, comment }: { line: DiffLine } & Commenting): JSX.Element {
  return (
    <tr data-kind={line.kind}>
      <td class="diff-number">{line.before}</td>
      <Numbered line={line} number={line.after} comment={comment} />
      <td class="diff-sign">{signs[line.kind]}</td>
      <td class="diff-text">
        <Marked line={line} />
      </td>
    </tr>
  )
}

function Numbered({
  line,
  number,
  comment,
}: { line: DiffLine; number: number | null } & Commenting): JSX.Element {
  return (
    <td class="diff-number">
      {comment && number !== null ? (
        <button
          type="button"
          class="diff-comment"
          title="Tell the agent something about this line"
          aria-label={`Comment on line ${number}`}
          onClick={() => comment(line)}
        >
          {number}
        </button>
      ) : (
        number
      )}
    </td>
  )
}

function SplitRow({
  left,
  right,
  comment,
}: { left: DiffLine | null; right: DiffLine | null } & Commenting): JSX.Element {
  return (
    <tr>
      <td class="diff-number" data-kind={left?.kind}>
        {left?.before}
      </td>
      <td class="diff-text" data-kind={left?.kind ?? 'none'}>
        {left && <Marked line={left} />}
      </td>
      {right ? <Numbered line={right} number={right.after} comment={comment} /> : <td class="diff-number" />}
      <td class="diff-text" data-kind={right?.kind ?? 'none'}>
        {right && <Marked line={right} />}
      </td>
    </tr>
  )
}

function Marked({ line: { text, changed, kind } }: { line: DiffLine }): JSX.Element {
  if (!changed || kind === 'same') return <>{text}</>
  return (
    <>
      {text.slice(0, changed.from)}
      <span class="diff-mark">{text.slice(changed.from, changed.to)}</span>
      {text.slice(changed.to)}
    </>
  )
}

/** Pairs of lines: removed ones on the left, added ones on the right. */
function splitRows({ lines }: Hunk): [DiffLine | null, DiffLine | null][] {
  const rows: [DiffLine | null, DiffLine | null][] = []
  let waiting: DiffLine[] = []
  const flush = () => {
    for (const line of waiting) rows.push([line, null])
    waiting = []
  }
  for (const line of lines) {
    if (line.kind === 'del') waiting.push(line)
    else if (line.kind === 'add') rows.push([waiting.shift() ?? null, line])
    else {
      flush()
      rows.push([line, line])
    }
  }
  flush()
  return rows
}
