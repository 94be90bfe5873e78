/**
 * What every event of every journal carries, whichever machine wrote it: version, place, time, writer and cause.
 * The envelope is made where events are recorded (engine/recorded); what is inside belongs to the machine.
 */

/** An event without its envelope: what happened, in the words of its machine. */
export type Fact = { kind: string; data: unknown }

export type Envelope = {
  v: number
  seq: number
  at: number
  /** The id of the journal. */
  loop: string
  epoch: number
  /** The command it answers. */
  cause: string | null
}
