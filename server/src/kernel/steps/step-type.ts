import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Ctx, Tx } from '../context.ts'
import type { Db } from '../db/handles.ts'
import type { Issue } from '../errors.ts'

/** What the history records about a step. */
export interface StepFact {
  outcome: 'done' | 'deferred' | 'skipped' | 'blocked' | 'failed'
  reason: string | null
  /** IDs of the records that the step created or changed, by name. */
  refs: Record<string, string>
}

export const fact = (
  outcome: StepFact['outcome'],
  reason: string | null = null,
  refs: StepFact['refs'] = {},
): StepFact => ({ outcome, reason, refs })

/** What a step needs to know. `Person`: the record of the person for whom the step is taken. */
export interface StepQuestion<Person> {
  ctx: Ctx
  tx: Db
  now: Date
  /** As the previous step left them. */
  person: Person
  /** The ID of the record of a type that the event or the request names, or that the event is about. */
  idOf(type: string): string | undefined
  /** The name of what takes the step. */
  title: string
}

/** The same, in the transaction in which the step is taken and recorded. `ctx` runs use cases in it. */
interface StepScene<Person> extends StepQuestion<Person> {
  tx: Tx
}

/** What became of a step. `person`: as the step left them, if known. */
interface Performed<Person> {
  fact: StepFact
  person?: Person
}

/** What would become of a step, with its changes to the person. */
interface Rehearsed<Person> {
  fact: StepFact
  changes?: Partial<Person>
}

/** What is wrong with a record that a step names. A warning does not make the step invalid. */
type ReferenceFault = 'missing' | { level: 'error' | 'warning'; message: string }

/** Examines the value of a member that names a record. May use the network, so it runs in no transaction. */
export type ReferenceCheck = (ctx: Ctx, value: string) => Promise<ReferenceFault | undefined>

/** A step of a type, as definitions contain it. */
export type StepOf<Name extends string, Members extends TProperties> = {
  key: string
  type: Name
} & Static<TObject<Members>>

/** How definitions contain a step, and what they are checked for. */
export interface StepShape<Name extends string = string, Members extends TProperties = TProperties> {
  type: Name
  members: Members
  /** What is wrong beyond the schema. Paths are relative to the step. */
  issues?(step: StepOf<Name, Members>): Issue[]
  /** The texts that are used as they are, without placeholders. */
  literals?: readonly (keyof Members & string)[]
  /** The members that name records. */
  references?: Readonly<{ [Member in keyof Members]?: ReferenceCheck }>
}

/**
 * A step that changes something at once, through the use case of the module that offers it. An error below 500 that `perform` throws means
 * that the step has failed; the next one follows.
 */
export interface StepType<
  Person,
  Name extends string = string,
  Members extends TProperties = TProperties,
> extends StepShape<Name, Members> {
  perform(scene: StepScene<Person>, step: StepOf<Name, Members>): Promise<Performed<Person>>
  /** Predicts the result without writing anything. */
  rehearse(question: StepQuestion<Person>, step: StepOf<Name, Members>): Promise<Rehearsed<Person>>
}

export const stepShape = <Name extends string, Members extends TProperties>(
  shape: StepShape<Name, Members>,
): StepShape<Name, Members> => shape

/** Declares a type of steps for persons of a kind: `stepTypeFor<Contact>()({ type: 'tag', … })`. */
export const stepTypeFor =
  <Person>() =>
  <Name extends string, Members extends TProperties>(
    type: StepType<Person, Name, Members>,
  ): StepType<Person, Name, Members> =>
    type

/** The JSON Schema of the steps of a type. */
export const stepSchema = ({ type, members }: StepShape): TSchema =>
  Type.Object(
    { key: Type.String({ pattern: '^[a-z0-9_]{1,40}$' }), type: Type.Enum([type]), ...members },
    { additionalProperties: false },
  )

/** A text of a step, of at most so many characters. */
export const stepText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, ...options })
