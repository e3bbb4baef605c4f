import { Sql } from 'sql-template-tag'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Queries, SqlTag } from './handles.ts'
import type { Result, Statement } from './pipeline-batch.ts'

/** Sends one statement and returns its result. */
export type Execute = (statement: Statement) => Promise<Result>

/** Makes a template tag from a function that takes a statement. */
export const sqlTag =
  <R>(run: (statement: Statement) => R): SqlTag<R> =>
  (first: Statement | TemplateStringsArray, ...values: unknown[]) =>
    run('raw' in first ? new Sql(first, values) : first)

/** `checked`: check every row against its schema, and throw on a mismatch. On in tests; off in production for speed. */
export function queries(execute: Execute, checked: boolean): Queries {
  const rowsOf = <R extends TSchema>(row: R, statement: Statement, { rows }: Result) => {
    if (checked) for (const value of rows) assertRow(row, value, statement)
    return rows as Static<R>[]
  }
  const only = <R extends TSchema>(row: R, statement: Statement, result: Result) => {
    if (result.rows.length > 1)
      throw new Error(`Expected at most one row, got ${result.rows.length}: ${statement.text}`)
    return rowsOf(row, statement, result)[0]
  }
  const one = <R extends TSchema>(row: R, statement: Statement, result: Result) => {
    const value = only(row, statement, result)
    if (value === undefined) throw new Error(`Expected a row, got none: ${statement.text}`)
    return value
  }
  return {
    many: (row) => sqlTag(async (statement) => rowsOf(row, statement, await execute(statement))),
    maybeOne: (row) => sqlTag(async (statement) => only(row, statement, await execute(statement))),
    one: (row) => sqlTag(async (statement) => one(row, statement, await execute(statement))),
    run: sqlTag(async (statement) => (await execute(statement)).count),
  }
}

const validators = new WeakMap<TSchema, ReturnType<typeof Compile>>()

function assertRow(schema: TSchema, row: unknown, statement: Statement): void {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  if (validator.Check(row)) return
  const issues = [...validator.Errors(row)].map((issue) => `${issue.instancePath} ${issue.message}`)
  throw new Error(`A row does not match its schema (${issues.join('; ')}): ${statement.text}`)
}
