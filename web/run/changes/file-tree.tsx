/** The changed files as a tree of folders, each file with the size of its change. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RouteAnswer } from '../../../src/server/api/contract.ts'
import { Icon } from '../../parts/icon.tsx'

export type FileInDiff = RouteAnswer<'changes'>['files'][number]

type Folder = { name: string; folders: Map<string, Folder>; files: FileInDiff[] }

type Props = { files: readonly FileInDiff[]; chosen: string | null; choose(path: string): void }

export function FileTree({ files, chosen, choose }: Props): JSX.Element {
  const root = useMemo(() => treeOf(files), [files])
  return (
    <nav class="tree" aria-label="Changed files">
      <FolderRows folder={root} depth={0} chosen={chosen} choose={choose} />
    </nav>
  )
}

function FolderRows({
  folder,
  depth,
  chosen,
  choose,
}: { folder: Folder; depth: number } & Omit<Props, 'files'>): JSX.Element {
  const indent = { paddingLeft: `${8 + depth * 14}px` }
  return (
    <ul>
      {[...folder.folders.values()].map(one => (
        <li key={one.name}>
          <div class="tree-folder small" style={indent}>
            <Icon name="folder" size={14} /> <span class="clip">{one.name}</span>
          </div>
          <FolderRows folder={one} depth={depth + 1} chosen={chosen} choose={choose} />
        </li>
      ))}
      {folder.files.map(file => (
        <li key={file.path}>
          <button
            type="button"
            class="tree-file small"
            style={indent}
            aria-current={file.path === chosen}
            title={file.name}
            onClick={() => choose(file.path)}
          >
            <Icon name="file" size={14} class={tones[file.status]} />
            <span class="clip grow">{file.name.split('/').at(-1)}</span>
            <Counts file={file} />
          </button>
        </li>
      ))}
    </ul>
  )
}

const tones = { new: 'tone-good', deleted: 'tone-bad', changed: 'tone-info' } as const

export function Counts({ file }: { file: FileInDiff }): JSX.Element {
  if (file.isBinary) return <span class="tone-quiet">binary</span>
  return (
    <span class="num counts">
      <span class="tone-good">+{file.added}</span> <span class="tone-bad">−{file.removed}</span>
    </span>
  )
}

/** By names, which are safe to show. A folder whose only entry is a folder shares a row with it: src/views. */
function treeOf(files: readonly FileInDiff[]): Folder {
  const root: Folder = { name: '', folders: new Map(), files: [] }
  for (const file of files) {
    let at = root
    for (const name of file.name.split('/').slice(0, -1)) {
      const next = at.folders.get(name) ?? { name, folders: new Map(), files: [] }
      at.folders.set(name, next)
      at = next
    }
    at.files.push(file)
  }
  return joined(root)
}

function joined(folder: Folder): Folder {
  const folders = new Map(
    Array.from(folder.folders.values(), one => {
      let whole = joined(one)
      const [only] = whole.folders.values()
      if (only && whole.folders.size === 1 && whole.files.length === 0)
        whole = { ...only, name: `${whole.name}/${only.name}` }
      return [whole.name, whole]
    }),
  )
  return { ...folder, folders }
}
