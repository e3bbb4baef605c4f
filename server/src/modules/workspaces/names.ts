import { ValidationFailed } from '#kernel/errors.ts'
import { hygieneFault } from '#kernel/http/text.ts'

/** Throws ValidationFailed unless the text is clean and has 1 to `max` characters. */
export function requireText(path: string, text: string, max: number): void {
  const length = [...text].length
  if (length < 1 || length > max)
    throw ValidationFailed([{ path, message: `must have 1 to ${max} characters` }])
  const fault = hygieneFault(text, path)
  if (fault !== undefined) throw ValidationFailed([fault])
}
