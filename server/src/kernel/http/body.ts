import { ValidationFailed } from '../errors.ts'
import { MalformedBody } from './answer.ts'
import { hygieneFault } from './text.ts'

export const maxBodyBytes = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body and refuses what no text column or later reader could bear. An empty body is undefined. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw MalformedBody('The body is not valid JSON in UTF-8.')
  }
  const fault = hygieneFault(value)
  if (fault !== undefined)
    throw ValidationFailed([{ ...fault, path: fault.path === '' ? 'body' : fault.path }])
  return value
}
