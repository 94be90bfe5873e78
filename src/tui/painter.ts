/**
 * Draws frames on the terminal: only the rows that changed, at most twenty times a second, and only after a frame was
 * requested. Frames are made in views/screen; cli/terminal writes them.
 */
import { drawRows, screenSize } from '../cli/terminal.ts'
import { changedRows, type ScreenFrame, type Size } from '../views/screen/frame.ts'

type Painter = {
  /** Something may have changed: draw a frame soon. */
  refresh(): void
  /** The terminal no longer shows our frame: draw the next one whole. */
  forget(): void
  rest(): void
}

const frameMs = 50

/** `gone` is called when the terminal accepts no more text. */
export function painterOf(frame: (size: Size) => ScreenFrame, gone: () => void): Painter {
  let before: ScreenFrame | null = null
  let drawnAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  const draw = () => {
    timer = null
    drawnAt = performance.now()
    const next = frame(screenSize())
    const rows = changedRows(before, next)
    const isSame = rows.length === 0 && isSamePlace(before?.cursor, next.cursor)
    before = next
    if (!isSame && !drawRows(rows, next.cursor)) gone()
  }
  return {
    refresh() {
      timer ??= setTimeout(draw, Math.max(0, drawnAt + frameMs - performance.now()))
    },
    forget() {
      before = null
    },
    rest() {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

function isSamePlace(a: ScreenFrame['cursor'] | undefined, b: ScreenFrame['cursor']): boolean {
  return a?.row === b?.row && a?.column === b?.column
}
