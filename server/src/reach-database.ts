import pg from 'pg'
import { OperatorError } from './operator-error.ts'

/**
 * Connects to the database of DATABASE_URL, or says in one sentence why that cannot be. At the start an unreachable
 * database is a mistake of the configuration; later it is an outage to sit out. The address is told, the password never.
 */
export async function reachDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gable command',
    connectionTimeoutMillis: 5000,
  })
  try {
    await client.connect()
    return client
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = cause instanceof pg.DatabaseError ? message : (code ?? message)
    throw new OperatorError(
      `The database of DATABASE_URL at ${client.host}:${client.port} cannot be reached: ${reason}.`,
      { cause },
    )
  }
}
