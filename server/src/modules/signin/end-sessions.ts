import type { House } from '#kernel/context.ts'
import { deleteSessions } from './session-queries.ts'

/** Signs a person out everywhere, but for the session named. Answers how many sessions ended. */
export const endSessions = (
  { database }: House,
  personId: string,
  exceptSessionId: string | null = null,
): Promise<number> => deleteSessions(database.directory, personId, exceptSessionId)
