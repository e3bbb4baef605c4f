import { Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

const StepRow = Type.Object({ person_id: nullable, challenge: nullable })

export interface NewStep {
  hash: Buffer
  kind: string
  personId: string | null
  challenge: string | null
  expiresAt: Date
}

export const insertStep = (directory: Queries, { hash, kind, personId, challenge, expiresAt }: NewStep) =>
  directory.run(sql`
    insert into sign_in_steps (hash, kind, person_id, challenge, expires_at)
    values (${hash}, ${kind}, ${personId}, ${challenge}, ${expiresAt})`)

export const findStep = (directory: Queries, hash: Buffer, kind: string, now: Date) =>
  directory.maybeOne(
    StepRow,
    sql`
    select person_id, challenge from sign_in_steps
    where hash = ${hash} and kind = ${kind} and expires_at > ${now}`,
  )

/** Of two that take the same step one gets it. */
export const takeStep = (directory: Queries, hash: Buffer, kind: string, now: Date) =>
  directory.maybeOne(
    StepRow,
    sql`
    delete from sign_in_steps where hash = ${hash} and kind = ${kind} and expires_at > ${now}
    returning person_id, challenge`,
  )

/** What a person has begun by showing what counts no more. */
export const deleteStepsOf = (tx: Queries, personId: string) =>
  tx.run(sql`delete from sign_in_steps where person_id = ${personId}`)

/** Those that nobody can finish any more; `limit` at most. */
export const deleteOldSteps = (directory: Queries, now: Date, limit: number) =>
  directory.run(sql`
    delete from sign_in_steps where hash in (select hash from sign_in_steps where expires_at <= ${now} limit ${limit})`)
