import { AppError, type defineError } from '#kernel/errors.ts'

/** The message of a refusal of this kind, for the page that it is told on; anything else is thrown on. */
export function refusedAs({ code }: Pick<ReturnType<typeof defineError>, 'code'>, error: unknown): string {
  if (!(error instanceof AppError) || error.code !== code) throw error
  return error.message
}
