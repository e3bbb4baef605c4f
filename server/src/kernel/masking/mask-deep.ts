import { maskText } from './mask-text.ts'

/**
 * Returns a copy of the value in which all texts are masked, including member names, and all numbers that could be
 * phone numbers.
 */
export const maskDeep = <T>(value: T): T => maskValue(value) as T

function maskValue(value: unknown): unknown {
  if (typeof value === 'number') return couldBePhone(value) ? maskText(String(value)) : value
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(maskValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [maskText(name), maskValue(one)]))
}

/** At least ten digits, and no more than a phone number has. */
const couldBePhone = (value: number) =>
  Number.isInteger(value) && Math.abs(value) >= 1e9 && Math.abs(value) < 1e15
