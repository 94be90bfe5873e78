/**
 * Points at which a test may end this process as kill -9 would, named by `$LOOP_FAULT`: `append:7` is right
 * after the seventh event is durable, `append:7:before` right before; `spawn:before`, `spawn`, `checkpoint`,
 * `verify` and `restore` are in the middle of that step, `verify@3` the third time. Points of a group: `copy`, `save`,
 * `write`, `command`, `member:created`, `advised`, `kept:showings` and `kept:lessons`. The journals of one process
 * count together. Without the variable a point costs one call.
 */

export function faultFrom(env: NodeJS.ProcessEnv): (point: string) => void {
  const [wanted, times = '1'] = (env['LOOP_FAULT'] ?? '').split('@')
  if (!wanted) return () => {}
  let left = Number(times)
  return point => {
    if (point !== wanted) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
