import type { House } from '#kernel/context.ts'
import { isEmail } from '#kernel/schemas.ts'
import { type PersonRow, findPersonByEmail } from './people-queries.ts'

/**
 * Whose address somebody has typed. What is no address is nobody's: PostgreSQL folds more letters than JavaScript, such as
 * `İ`, and one account would have a count of attempts for every way to write it.
 */
export const personOfAddress = async ({ database }: House, typed: string): Promise<PersonRow | undefined> =>
  isEmail(typed) ? findPersonByEmail(database.directory, typed) : undefined
