/** Dark, light, or the setting of the system; remembered in this browser. */
import { cell } from './cell.ts'

export type Theme = 'system' | 'light' | 'dark'

const key = 'loop-theme'
const order: readonly Theme[] = ['system', 'light', 'dark']

export const theme = cell<Theme>(order.find(name => name === window.localStorage.getItem(key)) ?? 'system')

export function showTheme(): void {
  const name = theme.get()
  if (name === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = name
}

export function nextTheme(): void {
  const next = order[(order.indexOf(theme.get()) + 1) % order.length] ?? 'system'
  theme.set(next)
  window.localStorage.setItem(key, next)
  showTheme()
}
