import { type Static, type TObject, Type } from 'typebox'
import { masked } from '../masking/masked.ts'
import { mask } from '../masking/masker.ts'
import { anyReferences } from '../schemas.ts'

/** An event's entry on a timeline. */
export interface Entry {
  type: string
  title: string
  body?: string | null
  changes?: Change[]
}

/** A change of one field. Phone numbers and email addresses are masked. */
export const ChangeSchema = Type.Object({
  field: Type.String(),
  from: Type.Unknown(anyReferences),
  to: Type.Unknown(anyReferences),
})
export type Change = Static<typeof ChangeSchema>

export interface EventType<D extends TObject = TObject> {
  readonly name: string
  /**
   * The scope that is required to receive the event. Null for an internal event, which appears only on timelines or
   * in the audit log.
   */
  readonly scope: string | null
  readonly summary: string
  /** The type of the record with the ID `data.id`. */
  readonly subject: string
  /** If the data has `app_id` (an id or null), the event concerns that app: other apps neither receive nor list it. */
  readonly data: D
  readonly example: Static<D>
  /** Members of the data that an erasure removes. They must be optional in the schema. None by default. */
  readonly personal: readonly string[]
  /**
   * Whether the workspace's audit log lists it. By default, it does if the event is internal and on no timeline. Its
   * data must not contain secrets.
   */
  readonly audit: boolean
  /** Ids of the contacts on whose timelines the event appears. Null, the default, for none. */
  timelineOf(data: Static<D>): string | null | readonly string[]
  /**
   * The entry on a timeline. By default, it has the type `system` and the summary as its title. `data` may lack its
   * personal members.
   */
  entry(data: Static<D>): Entry
}

type Defaults = 'personal' | 'audit' | 'timelineOf' | 'entry'

/** Declares an event once, in the module that emits it. */
export const event = <D extends TObject>(
  name: string,
  declared: Omit<EventType<D>, 'name' | Defaults> & Partial<Pick<EventType<D>, Defaults>>,
): EventType<D> => ({
  name,
  personal: [],
  audit: declared.scope === null && declared.timelineOf === undefined,
  timelineOf: () => null,
  entry: () => ({ type: 'system', title: declared.summary }),
  ...declared,
})

/** Declares an audit log entry. It never leaves the server. */
export const auditEvent = <D extends TObject>(
  name: string,
  subject: string,
  summary: string,
  data: D,
  example: Static<D>,
): EventType<D> => event(name, { scope: null, summary, subject, data, example })

/** The fields that an update changed, from what to what. Texts that may name people are masked. */
export const Changes = masked('text', Type.Array(ChangeSchema, { description: 'Long texts are shortened.' }))

/** The names of the fields that an update changed, for records whose values are long, or secret. */
export const Changed = Type.Array(Type.String(), { description: 'The fields that changed.' })

/** Declares the audit log entry of an update of a record. */
export const updateEvent = (subject: string, summary: string, id: string, change: Change) =>
  auditEvent(`${subject}.updated`, subject, summary, Type.Object({ id: Type.String(), changes: Changes }), {
    id,
    changes: [change],
  })

type EventData = Record<string, unknown>

/** Keeps the members of a value that the event's data schema declares, masked as the schema says. */
export const dataOf = <D extends TObject>({ data }: EventType<D>, value: Static<D>): EventData =>
  mask(data, onlyDeclared(data, value as EventData))

function onlyDeclared({ properties }: Pick<TObject, 'properties'>, value: object): EventData {
  const known = Object.entries(value).filter(([name]) => name in properties)
  return Object.fromEntries(
    known.map(([name, one]: [string, unknown]) => {
      const schema = properties[name] as TObject
      const isObject = schema.properties !== undefined && typeof one === 'object' && one !== null
      return [name, isObject ? onlyDeclared(schema, one) : one]
    }),
  )
}

/** An event that leaves the server through webhooks and `GET /events`. */
export type PublishedEventType = EventType & { readonly scope: NonNullable<EventType['scope']> }

/** The events of all modules, by name. */
export type EventTypes = ReadonlyMap<string, EventType>
