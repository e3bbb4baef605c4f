import { AppError, ValidationFailed } from '#kernel/errors.ts'

/** What is wrong with the fields of a form, by their names. */
export type Faults = Readonly<Record<string, string>>

/** The faults of the fields where that is what was thrown; anything else is thrown on. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof AppError) || error.code !== ValidationFailed.code) throw error
  return Object.fromEntries((error.body.details ?? []).map(({ path, message }) => [path, `It ${message}.`]))
}
