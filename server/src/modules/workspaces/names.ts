import { Type } from 'typebox'
import { ValidationFailed } from '#kernel/errors.ts'
import { controlIssue } from '#kernel/http/text.ts'
import { oneLine, oneLineRule } from '#kernel/schemas.ts'

/** A name in a request body. */
export const Line = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: oneLine,
  description: 'One line.',
})

/** Throws ValidationFailed unless the text is one clean line of 1 to `max` characters. */
export function requireText(path: string, text: string, max: number): void {
  const length = [...text].length
  if (length < 1 || length > max)
    throw ValidationFailed([{ path, message: `must have 1 to ${max} characters` }])
  if (!new RegExp(oneLine).test(text)) throw ValidationFailed([{ path, message: oneLineRule }])
  const fault = controlIssue(text)
  if (fault !== undefined) throw ValidationFailed([{ path, message: fault }])
}
