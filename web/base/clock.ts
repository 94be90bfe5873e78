/**
 * The current time of the page: one clock for all components. It ticks once a second, and only while the tab is
 * visible.
 */
import { useEffect } from 'preact/hooks'
import { cell, useCell } from './cell.ts'

const second = cell(Date.now())
let users = 0

window.setInterval(() => {
  if (users > 0 && !document.hidden) second.set(Date.now())
}, 1_000)

export function useNow(): number {
  useEffect(() => {
    users += 1
    return () => {
      users -= 1
    }
  }, [])
  return useCell(second)
}
