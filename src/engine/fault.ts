/**
 * Points at which a test may end this process as kill -9 would, named by `$LOOP_FAULT`: `append:7` is right
 * after the seventh event is durable, `append:7:before` right before, `spawn`, `spawn:before`, `checkpoint`,
 * `verify` while that step is under way. Without the variable it costs a comparison.
 */

export function faultFrom(env: NodeJS.ProcessEnv): (point: string) => void {
  const wanted = env['LOOP_FAULT']
  if (!wanted) return () => {}
  return point => {
    if (point === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
