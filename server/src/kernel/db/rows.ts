import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Result, Statement } from './burst.ts'

/** Sends one statement and answers its result. */
export type Ask = (statement: Statement) => Promise<Result>

/** Questions in the words of rows. The row's schema stands beside the SQL; tests hold the one against the other. */
export interface Queries {
  many<R extends TObject>(row: R, statement: Statement): Promise<Static<R>[]>
  /** The only row; more than one is a fault of the query. */
  maybeOne<R extends TObject>(row: R, statement: Statement): Promise<Static<R> | undefined>
  /** Exactly one row. */
  one<R extends TObject>(row: R, statement: Statement): Promise<Static<R>>
  /** Without rows; answers how many were affected. */
  run(statement: Statement): Promise<number>
}

/** `checked`: every row is held against its schema and a difference throws. On in tests, off where it would cost. */
export function queries(ask: Ask, checked: boolean): Queries {
  const many = async <R extends TObject>(row: R, statement: Statement) => {
    const { rows } = await ask(statement)
    if (checked) for (const value of rows) assertRow(row, value, statement)
    return rows as Static<R>[]
  }
  const maybeOne = async <R extends TObject>(row: R, statement: Statement) => {
    const rows = await many(row, statement)
    if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${statement.text}`)
    return rows[0]
  }
  const one = async <R extends TObject>(row: R, statement: Statement) => {
    const value = await maybeOne(row, statement)
    if (value === undefined) throw new Error(`Expected a row, got none: ${statement.text}`)
    return value
  }
  return { many, maybeOne, one, run: async (statement) => (await ask(statement)).count }
}

const validators = new WeakMap<TObject, ReturnType<typeof Compile>>()

function assertRow(schema: TObject, row: unknown, statement: Statement): void {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  if (validator.Check(row)) return
  const faults = [...validator.Errors(row)].map((fault) => `${fault.instancePath} ${fault.message}`)
  throw new Error(`A row is not as its schema says (${faults.join('; ')}): ${statement.text}`)
}
