/**
 * What a test needs of the machine beside Node and git. By hand, a test without it is skipped with the reason. In CI
 * (`CI=true`) that is a failure, so that no test is silently absent: `.ci/run` installs everything. What only a
 * kernel can give (btrfs, control groups) cannot be installed: such tests are skipped with the reason.
 */
import { spawnSync } from 'node:child_process'

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }

/** How to check that it is there, and the package that provides it. */
const programs = {
  'mkfs.btrfs': ['--version', 'btrfs-progs'],
  btrfs: ['--version', 'btrfs-progs'],
  'mkfs.ext4': ['-V', 'e2fsprogs'],
  python3: ['--version', 'python3'],
  pytest: ['--version', 'python3-pytest'],
  make: ['--version', 'make'],
  cc: ['--version', 'gcc'],
  strace: ['-V', 'strace'],
  tmux: ['-V', 'tmux'],
  chromium: ['--version', 'chromium'],
  bwrap: ['--version', 'bubblewrap'],
  socat: ['-V', 'socat'],
  rg: ['--version', 'ripgrep'],
  zsh: ['--version', 'zsh'],
  fish: ['--version', 'fish'],
  jq: ['--version', 'jq'],
} satisfies Record<string, [string, string]>

export type Need = keyof typeof programs | 'root'

/** For the option `skip` of a test: false if everything is there, otherwise what is missing. */
export function without(...needs: Need[]): string | false {
  const missing = needs.map(need => lacking(need)).filter(why => why !== null)
  return missing.length > 0 && refused(missing.join(', '))
}

/** A reason to skip by hand, which is a failure in CI. */
export function refused(why: string): string {
  if (process.env['CI']) throw new Error(`${why}: a test needs it, and in CI no test is skipped for that.`)
  return why
}

function lacking(need: Need): string | null {
  if (need === 'root') return process.getuid?.() === 0 ? null : 'needs root'
  const [version, brings] = programs[need]
  const { error } = spawnSync(need, [version], { env, stdio: 'ignore' })
  return error ? `needs ${need} (package ${brings})` : null
}
