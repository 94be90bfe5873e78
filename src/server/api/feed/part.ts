/** One thing that a tab follows: what is new of it, each frame with the place that the reader has come to with it. */
import type { Feed } from '../../../engine/feed.ts'
import type { Store } from '../../../store/contract.ts'
import type { Frame } from '../stream.ts'

export type Placed = { frame: Frame; at: number }

export type Part = {
  /** At most a piece of what there is. */
  look(): Placed[]
  /** Records how far the reader has come. */
  reached(at: number): void
  /** It is looked at so often, though the store has not changed. */
  everyMs: number
  close?(): void
}

export type Following = { store: Store; feed: Feed; now(): number }
