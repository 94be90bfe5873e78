/** The changes between two checkpoints: the tree of files beside their diffs. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../../../src/model/units.ts'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { Choose } from '../../parts/choose.tsx'
import { Empty, FailureNote, Loading } from '../../parts/note.tsx'
import { type Between, FileDiff } from './file-diff.tsx'
import { type FileInDiff, FileTree } from './file-tree.tsx'
import type { DiffLine } from './patch.ts'

type Props = {
  between: Between
  comment?: ((name: string, line: DiffLine) => void) | undefined
  /** An additional button for each file. */
  more?(file: FileInDiff): JSX.Element
}

const ways = [
  ['unified', 'Unified'],
  ['split', 'Side by side'],
] as const
const which = [
  ['all', 'All files'],
  ['tests', 'Tests only'],
] as const

/** With more files than this, each is opened from the tree. */
const mostOpen = 40

export function ChangesView({ between, comment, more }: Props): JSX.Element {
  const { id, from, to } = between
  const [way, setWay] = useState<'unified' | 'split'>('unified')
  const [only, setOnly] = useState<'all' | 'tests'>('all')
  const [chosen, setChosen] = useState<string | null>(null)
  const got = useAsked(`${id} ${from}..${to}`, signal =>
    askLoopd('changes', { params: { id }, query: { from, to } }, signal),
  )
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="the changes" />
  const files = got.value.files.filter(({ isTest }) => only === 'all' || isTest)
  const choose = (path: string) => {
    setChosen(path)
    window.requestAnimationFrame(() =>
      document.getElementById(`file-${path}`)?.scrollIntoView({ block: 'start' }),
    )
  }
  const shown =
    files.length > mostOpen ? files.filter(({ path }) => path === (chosen ?? files[0]?.path)) : files
  return (
    <div class="stack">
      <div class="row wrap">
        <span class="quiet">
          {count(got.value.total.files, 'file')} changed{got.value.isCut ? ', not all of them shown' : ''}
        </span>
        <span class="grow" />
        <Choose label="Which files" value={only} choices={which} choose={name => setOnly(name)} />
        <Choose label="How diffs are shown" value={way} choices={ways} choose={name => setWay(name)} />
      </div>
      {files.length === 0 ? (
        <Empty title={only === 'tests' ? 'No test has changed' : 'Nothing has changed'} />
      ) : (
        <div class="changes">
          <FileTree files={files} chosen={chosen} choose={choose} />
          <div class="stack changes-files">
            {shown.map(file => (
              <FileDiff
                key={file.path}
                between={between}
                file={file}
                isSplit={way === 'split'}
                comment={comment}
                more={more?.(file)}
              />
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
