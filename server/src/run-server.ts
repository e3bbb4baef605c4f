import { EmbeddedPostgresError } from '@gable/postgres/start.ts'
import { describeError } from '#kernel/log.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { serve } from './serve.ts'

/**
 * Ends the process. Prints only the message of errors that an operator can fix. Any other error is printed in the
 * log's form, which names no customers.
 */
function fail(error: unknown): never {
  const expected = [ConfigError, OperatorError, EmbeddedPostgresError].some((kind) => error instanceof kind)
  console.error(
    expected && error instanceof Error ? error.message : JSON.stringify(describeError(error), null, 2),
  )
  process.exit(1)
}

process.on('uncaughtException', fail)
try {
  await serve(readConfig())
  process.exit(0)
} catch (error) {
  fail(error)
}
