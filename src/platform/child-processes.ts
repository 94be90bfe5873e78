/** Node's module for child processes, loaded by whoever starts one: loading it takes longer than most commands work. */
export function childProcesses(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process')
}
