/** Sends one command to a loop or group, and shows the result as a message. */
import type { RouteRequest } from '../../src/server/api/contract.ts'
import { askLoopd } from './api.ts'
import { saidHow } from './toast.ts'

export type Wished = RouteRequest<'command'>['body']

/** True if the command was accepted. */
export async function sendCommand(id: string, body: Wished, done: string): Promise<boolean> {
  return saidHow(await askLoopd('command', { params: { id }, body }), done)
}
