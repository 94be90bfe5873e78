/**
 * Files of which one part is the work and another judges it: manifests (dependencies against scripts and settings), and
 * sources that contain their own tests. In a clean copy each part can be that of another version of the file. Pure.
 */
import { manifestChange, mapsChange } from './manifest.ts'
import { changedParts, hasOwnTests, withTestsOf } from './own-tests.ts'

/** The file as it was found, and as it is now. */
type Versions = { before: string; now: string }

/** What changed in it, and its text with the work or the judging part of the newer version alone. */
type Parts = { isWork: boolean; isJudging: boolean; workAlone: string; judgingAlone: string }

/** Null: the file has only one part. */
export function partsWithin(path: string, versions: Versions, isUnread: boolean): Parts | null {
  return ofManifest(path, versions, isUnread) ?? ofSource(path, versions)
}

function ofManifest(path: string, { before, now }: Versions, isUnread: boolean): Parts | null {
  const change = isUnread ? mapsChange : manifestChange
  const found = change(path, before, now)
  if (found === null) return null
  if (found.is === 'work') return { isWork: true, isJudging: false, workAlone: now, judgingAlone: before }
  if (found.is !== 'both') return { isWork: false, isJudging: true, workAlone: before, judgingAlone: now }
  const turned = change(path, now, before)
  const judgingAlone = turned?.is === 'both' ? turned.merged : now
  return { isWork: true, isJudging: true, workAlone: found.merged, judgingAlone }
}

function ofSource(path: string, { before, now }: Versions): Parts | null {
  if (!hasOwnTests(path, before)) return null
  const { rest, tests } = changedParts(path, before, now)
  return {
    isWork: rest,
    isJudging: tests,
    workAlone: withTestsOf(path, { rest: now, tests: before }),
    judgingAlone: withTestsOf(path, { rest: before, tests: now }),
  }
}
