import { ValidationFailed } from '../errors.ts'
import { MalformedBody } from './http-errors.ts'
import { bodyLevels, textIssue } from './text.ts'

export const maxBodyBytes = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Returns undefined for an empty body. Throws `MalformedBody` if it is not JSON in UTF-8, and
 * `ValidationFailed` for text that cannot be stored or too many levels.
 */
export function parseBody(bytes: Buffer, levels = bodyLevels): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw MalformedBody('The body is not valid JSON in UTF-8.')
  }
  const issue = textIssue(value, '', levels)
  if (issue !== undefined) throw ValidationFailed([{ ...issue, path: issue.path || 'body' }])
  return value
}
