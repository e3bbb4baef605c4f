import { InvalidArgumentError } from 'commander'

/** A time that the operator gave: either fixed, or a duration before the present. */
export type Since = (now: Date) => Date

/** The accepted forms, as `--help` lists them. */
export const sinceForms = '90s, 30m, 24h, 7d, or a time such as 2026-11-20T08:00:00Z'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function sinceOf(text: string): Since {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return (now) => new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0))
  try {
    const at = new Date(Temporal.Instant.from(text).epochMilliseconds)
    return () => at
  } catch {
    throw new InvalidArgumentError(`It must be ${sinceForms}.`)
  }
}
