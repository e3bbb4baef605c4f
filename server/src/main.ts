import { EmbeddedPostgresError } from '#kernel/db/embedded/cluster.ts'
import { ConfigError, readConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'
import { serve } from './serve.ts'

try {
  await serve(readConfig())
  process.exit(0)
} catch (error) {
  const expected =
    error instanceof ConfigError || error instanceof OperatorError || error instanceof EmbeddedPostgresError
  console.error(expected ? error.message : error)
  process.exit(1)
}
