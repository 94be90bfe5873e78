/** Groups in tests: best-of starts with agents as shell commands, which recognise their attempt by its approach. */
import { type Rig, type Running, startArgs, until } from './rig.ts'

/** `cost 0.25`: the cost that this agent run reports. */
export const cost = (usd: number) => `echo '{"costUsd": ${usd}}' > "$LOOP_USAGE_FILE"`

/** Waits until a file beside the tree exists. */
export const waitFor = (file: string) => `while [ ! -e "$ASIDE/${file}" ]; do sleep 0.02; done`

/** One command for the first attempt, one for all others. */
export const firstOr = (first: string, others: string) =>
  `if grep -q 'most direct way' "$LOOP_PROMPT_FILE"; then ${first}; else ${others}; fi`

export function bestOfArgs(agent: string, promise: string, ...more: string[]): string[] {
  return startArgs(agent, promise, '--best-of', '2', ...more)
}

type Row = { id: string; kind: string; node?: string; status: string; members?: Row[] }

/** The rows of `loop status --json`. */
export async function rowsOf(rig: Rig): Promise<Row[]> {
  const asked = await rig.loop(['status', '--json'])
  if (asked.code !== 0) throw new Error(asked.stderr)
  return JSON.parse(asked.stdout)
}

/** The one group of the store. */
export function onlyGroup(rig: Rig): string {
  const group = rig.loops().find(id => rig.events(id)[0]?.kind === ('group.created' as string))
  if (group === undefined) throw new Error('There is no group')
  return group
}

/** The group of a start that runs, once its members are these many. */
export async function groupOf(
  rig: Rig,
  running: Running,
  members = 2,
): Promise<{ id: string; members: string[] }> {
  const id = await until('the group to begin', () => /Group: (\w{6})/.exec(running.stderr())?.[1])
  const found = await until('its members', async () => {
    const [group] = (await rowsOf(rig)).filter(row => row.id === id)
    return group?.members && group.members.length >= members ? group.members : null
  })
  return { id, members: found.map(one => one.id) }
}
