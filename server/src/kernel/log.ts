import pino from 'pino'

export type Log = pino.Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Logs JSON lines to standard error. Of an error or a request, logs only the fields named here: a denylist would miss
 * the next field with a phone number.
 */
export function createLog(level: (typeof logLevels)[number]): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}

/** The parts of an error that never contain customer data. Omits PostgreSQL's `detail`, which quotes rows. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown }
  const stack = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return {
    type: error.name,
    message: code === undefined ? error.message : undefined,
    code,
    table,
    constraint,
    stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}
