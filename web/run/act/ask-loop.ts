/** One command to a loop or group, and what the person is told about it. */
import type { RouteRequest } from '../../../src/server/api/contract.ts'
import { askLoopd } from '../../base/api.ts'
import { saidHow } from '../../base/toast.ts'

export type Wished = RouteRequest<'command'>['body']

/** True where it was taken. */
export async function sendCommand(id: string, body: Wished, done: string): Promise<boolean> {
  return saidHow(await askLoopd('command', { params: { id }, body }), done)
}
