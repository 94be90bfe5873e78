/** One changed file: its header, and its diff, fetched when opened. Generated files stay closed; long diffs are cut. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { Icon } from '../../parts/icon.tsx'
import { FailureNote, Loading } from '../../parts/note.tsx'
import { DiffView } from './diff-view.tsx'
import { Counts, type FileInDiff } from './file-tree.tsx'
import type { DiffLine } from './patch.ts'

export type Between = { id: string; from: string; to: string }

type Props = {
  between: Between
  file: FileInDiff
  isSplit: boolean
  /** Opens a comment on a line; undefined once the agent can no longer be told anything. */
  comment?: ((name: string, line: DiffLine) => void) | undefined
  /** An additional button in the header of the file. */
  more?: JSX.Element | undefined
}

export function FileDiff({ between, file, isSplit, comment, more }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(file.generated === null && !file.isBinary)
  return (
    <section class="card file-diff" id={`file-${file.path}`} aria-label={file.name}>
      <div class="card-head">
        <button
          type="button"
          class="button plain icon small"
          aria-expanded={isOpen}
          aria-label={`Diff of ${file.name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'chevron'} size={12} />
        </button>
        <h2 class="mono clip grow">{file.name}</h2>
        {file.status !== 'changed' && <span class="tag">{file.status}</span>}
        {file.generated !== null && (
          <span class="tag" title={file.generated}>
            generated
          </span>
        )}
        {file.isTest && <span class="tag">test</span>}
        <Counts file={file} />
        {more}
      </div>
      {isOpen && (
        <Patch
          between={between}
          path={file.path}
          isSplit={isSplit}
          comment={comment && (line => comment(file.name, line))}
        />
      )}
    </section>
  )
}

type PatchProps = {
  between: Between
  path: string
  isSplit: boolean
  comment?: ((line: DiffLine) => void) | undefined
}

function Patch({ between: { id, from, to }, path, isSplit, comment }: PatchProps): JSX.Element {
  const [isAll, setAll] = useState(false)
  const query = { from, to, path, ...(isAll && { all: '1' as const }) }
  const got = useAsked(JSON.stringify([id, query]), signal =>
    askLoopd('fileDiff', { params: { id }, query }, signal),
  )
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="the diff" />
  const { patch, isCut } = got.value
  return (
    <>
      <DiffView patch={patch} isSplit={isSplit} comment={comment} />
      {isCut && (
        <p class="card-body">
          Only the beginning is shown.{' '}
          {!isAll && (
            <button type="button" class="button small" onClick={() => setAll(true)}>
              Load more of it
            </button>
          )}
        </p>
      )}
    </>
  )
}
