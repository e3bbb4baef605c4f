import { parseArgs } from 'node:util'

export interface Options<Part extends string = never> {
  /** A smoke test: few contacts, short rounds, and no results page saved. */
  quick: boolean
  /** Reload the data even if it is complete. */
  fresh: boolean
  /** Rounds of each server in each case. */
  rounds: number
  /** Length of a round. */
  seconds: number
  connections: number
  /** Undefined for embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** The parts to measure. All by default. */
  parts: readonly Part[]
}

/** Parses the command line. If it asks for help, prints the help and returns undefined. */
export function readOptions<Part extends string = never>(
  help: string,
  connections: number,
  allParts: readonly Part[] = [],
): Options<Part> | undefined {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string', multiple: true },
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
    parts: values.only?.map((name) => partOf(allParts, name)) ?? allParts,
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Error(`${name} must be a whole number from 1 to ${most}, not "${text}"`)
}

function partOf<Part extends string>(allParts: readonly Part[], name: string): Part {
  const part = allParts.find((one) => one === name)
  if (part !== undefined) return part
  throw new Error(`--only must be one of ${allParts.join(', ')}, not "${name}"`)
}
