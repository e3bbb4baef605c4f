import { parseArgs } from 'node:util'

export interface Options {
  /** A smoke run: few contacts, short rounds, nothing written down. */
  quick: boolean
  /** Reload the data even if it is complete. */
  fresh: boolean
  /** Rounds of each server in each case. */
  rounds: number
  /** Length of a round. */
  seconds: number
  connections: number
  /** Undefined for the embedded PostgreSQL. */
  databaseUrl: string | undefined
}

/** Reads the command line; undefined if it asks for help, which has then been printed. */
export function readOptions(
  help: string,
  connections: number,
  args = process.argv.slice(2),
): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return undefined
  }
  return {
    quick: values.quick,
    fresh: values.fresh,
    rounds: wholeNumber('--rounds', values.rounds, values.quick ? 1 : 10, 20),
    seconds: wholeNumber('--seconds', values.seconds, values.quick ? 1 : 4, 60),
    connections,
    databaseUrl: process.env['DATABASE_URL'] || undefined,
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`${name} must be a whole number from 1 to ${most}, not "${text}"`)
}
