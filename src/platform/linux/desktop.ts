/** Programs of a Linux machine that loop starts or relies on. */
import type { Desktop, Programs } from '../contract.ts'

export const desktop: Desktop = {
  openCommand: (url, env) => (env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : null),
}

export const linuxPrograms: Programs = {
  needed: ['setsid', 'ln', 'mv', 'sleep'],
  wanted: ['unshare', 'flock'],
  notable: ['setsid', 'unshare', 'flock'],
  install: {
    needed: 'Install util-linux and coreutils: no loop can run.',
    wanted:
      'Install util-linux: unshare contains what an agent starts, flock tells a living run from a dead one across containers.',
  },
}
