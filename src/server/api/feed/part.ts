/** One thing that a tab follows: its new frames, each with the position that the reader has reached. */
import type { Feed } from '../../../engine/feed.ts'
import type { Store } from '../../../store/contract.ts'
import type { Frame } from '../stream.ts'

export type Placed = { frame: Frame; at: number }

export type Part = {
  /** At most a piece of what there is. */
  look(): Placed[]
  /** Records how far the reader has come. */
  reached(at: number): void
  /** How often it is read although the store has not changed. */
  everyMs: number
  close?(): void
}

export type Following = { store: Store; feed: Feed; now(): number }
