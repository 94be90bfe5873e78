/** Several commands as one: each in a subshell of its own, in order, until one fails. */
export function joinedCommands(commands: readonly string[]): string {
  return commands.map(command => `(\n${command}\n)`).join(' && ')
}
