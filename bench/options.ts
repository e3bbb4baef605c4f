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

const help = `Usage: npm run bench -- [options]

Measures the API beside a bare handler on the same database, prints a table and keeps it in bench/RESULTS.md.
Uses DATABASE_URL where set (a superuser's: it makes databases and reads past row-level security), otherwise the
embedded PostgreSQL. The databases gable_bench_10k and gable_bench_1m are made beside the named one and kept.

  --quick        small data, short rounds, no RESULTS.md: does it run?
  --fresh        reload the data
  --rounds N     rounds of each server in each case (10)
  --seconds N    length of a round (4)
  --help         this text
`

/** Reads the command line; undefined where only help was asked for, which has then been printed. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
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
    connections: 64,
    databaseUrl: env['DATABASE_URL'] || undefined,
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`${name} must be a whole number from 1 to ${most}, not "${text}"`)
}
