import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import type { Fields, ShownOf } from './fields.ts'
import type { RecordType } from './record.ts'

type Members = Readonly<Record<string, TSchema>>

/** The schema of a response that shows a record and computed members beside its fields. */
export function extendRecord<F extends Fields, M extends Members>(
  title: string,
  { Record: schema }: RecordType<F>,
  members: M,
  example: Partial<ShownOf<F>> & { [K in keyof M]: Static<M[K]> },
): TUnsafe<ShownOf<F> & { [K in keyof M]: Static<M[K]> }> {
  const { properties, examples = [] } = schema as unknown as TObject & { examples?: object[] }
  return Type.Object(
    { ...properties, ...members },
    { title, examples: [{ ...examples[0], ...example }] },
  ) as unknown as TUnsafe<ShownOf<F> & { [K in keyof M]: Static<M[K]> }>
}
