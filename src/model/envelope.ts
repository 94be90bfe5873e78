/**
 * The envelope of every event in every journal: version, sequence number, time, writer and cause.
 * engine/recorded makes it when an event is recorded; the event inside belongs to the machine.
 */

/** An event without its envelope. */
export type Fact = { kind: string; data: unknown }

export type Envelope = {
  v: number
  seq: number
  at: number
  /** The id of the journal. */
  loop: string
  epoch: number
  /** The id of the command that caused the event. */
  cause: string | null
}
