import type { Static, TObject } from 'typebox'

/** How an event reads on a timeline. */
export interface Entry {
  type: string
  title: string
  body?: string | null
  changes?: Change[]
}

/** One field's move; phone numbers and e-mail addresses are masked in it. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}

export interface EventType<D extends TObject = TObject> {
  readonly name: string
  /** The scope whose holders receive it; null keeps it inside the house (timeline only). */
  readonly scope: string | null
  readonly summary: string
  /** The kind of record that `data.id` names. */
  readonly subject: string
  readonly data: D
  readonly example: Static<D>
  /** Members of the data that an erasure takes out; they are optional in the schema. */
  readonly personal: readonly string[]
  /** Id of the contact on whose timeline it appears; null for none. */
  timelineOf(data: Static<D>): string | null
  /** `data` may lack its personal members. */
  entry(data: Static<D>): Entry
}

/** Declares an event, once, in the `events.ts` of the module that emits it. */
export const event = <D extends TObject>(name: string, rest: Omit<EventType<D>, 'name'>): EventType<D> => ({
  name,
  ...rest,
})

/** The events of all modules, by name. */
export type EventTypes = ReadonlyMap<string, EventType>
