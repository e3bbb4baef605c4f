import { InvalidArgumentError } from 'commander'

/** Parses a time from the command line. Throws `InvalidArgumentError`. */
export function timeOf(text: string): Date {
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    throw new InvalidArgumentError('It must be a time such as 2026-11-20T08:00:00Z.')
  }
}
