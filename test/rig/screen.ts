/** A real terminal (tmux) for a test: its content, and keys as a person types them. */
import { execFileSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { without } from './needs.ts'
import { loopProgram, type Rig } from './rig.ts'

export type Screen = { text(): string; type(...keys: string[]): void }

/** How wide its terminal is. */
type Size = { columns?: number }

let servers = 0

/** A test that needs such a terminal. */
export function terminalTest(name: string, body: (t: TestContext) => Promise<void>): void {
  test(name, { skip: without('tmux') }, body)
}

/**
 * Runs loop with these arguments in a terminal of its own and stays when it has ended. Beside the work tree are then
 * the modes of the terminal before and after (`modes-before`, `modes-after`) and what was left to read in it (`left`).
 */
export function terminal(rig: Rig & Size, args: string[]): Screen {
  servers += 1
  const server = `loop-test-${process.pid}-${servers}`
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { ...rig.env, SHELL: '/bin/sh' },
    })
  const quoted = [loopProgram, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  tmux(
    'new-session',
    '-d',
    '-x',
    String(rig.columns ?? 120),
    '-y',
    '50',
    '-c',
    rig.tree,
    `trap : INT; stty -g > "$ASIDE/modes-before"; ${quoted}; code=$?; stty -g > "$ASIDE/modes-after"; timeout 0.1 cat > "$ASIDE/left"; echo "ended with $code"; exec sleep 60`,
  )
  // Before the rig ends what it has left running: the server of this terminal would be one of those.
  rig.atEnd(async () => void tmux('kill-server'))
  return {
    text: () => tmux('capture-pane', '-p'),
    type: (...keys) => void tmux('send-keys', ...keys),
  }
}
