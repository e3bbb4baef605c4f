import { EmbeddedPostgresError } from '@gable/postgres/start.ts'
import { CommanderError } from 'commander'
import { recordText } from '#kernel/cli/presentation.ts'
import { AppError, type Issue } from '#kernel/errors.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { ConfigError } from '../config.ts'

interface Failure {
  exitCode: 1 | 2
  error: { code: string; message: string; reason?: string; details?: Issue[] }
  /** What else the error says, such as the reasons why a message is blocked. */
  more?: Readonly<Record<string, unknown>>
  /** Only for a bug in Gable itself. */
  stack?: string | undefined
}

/** Prints the error to standard error, as one line of JSON if `json` is set. Returns the exit code. */
export function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const failure = failureOf(error)
  const { more = {} } = failure
  if (json) process.stderr.write(`${JSON.stringify({ error: { ...failure.error, ...more } })}\n`)
  else if (!(error instanceof CommanderError && error.code === 'commander.help')) {
    const { message, details = [] } = failure.error
    // If there is only one, the message already contains it.
    const faults = details.length < 2 ? [] : details.map((fault) => `  ${fault.path}: ${fault.message}`)
    const stack = failure.stack === undefined ? [] : [failure.stack]
    const rest = Object.keys(more).length === 0 ? [] : [recordText(more)]
    process.stderr.write(`${[message, ...faults, ...rest, ...stack].join('\n')}\n`)
  }
  return failure.exitCode
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError)
    return { exitCode: 2, error: { code: 'usage', message: usageMessage(error) } }
  if (error instanceof AppError) {
    const { message, reason, details, more } = error.body
    return {
      exitCode: 1,
      error: {
        code: error.code,
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
      },
      more: { ...more },
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ConfigError) return { exitCode: 1, error: { code: 'configuration', message } }
  if (error instanceof EmbeddedPostgresError) return { exitCode: 1, error: { code: 'database', message } }
  if (error instanceof OperatorError) return { exitCode: 1, error: { code: 'failed', message } }
  const stack =
    error instanceof Error
      ? error.stack
          ?.split('\n')
          .filter((line) => line.startsWith('    at '))
          .join('\n')
      : undefined
  return { exitCode: 1, error: { code: 'internal', message: `An error in Gable: ${message}` }, stack }
}

function usageMessage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing. See --help.'
  const text = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}. See --help.`
}
