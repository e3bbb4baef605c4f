import { timingSafeEqual } from 'node:crypto'
import { AppError, ValidationFailed, defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { controlIssue } from '#kernel/http/text.ts'

const ForeignForm = defineError('forbidden', 403, () => ({
  message:
    'This form was not sent from a page of this server, or the page is too old. Go back, reload, and try again.',
}))

export interface FormFields {
  /** The first value with this name; empty if there is none. */
  text(name: string): string
  all(name: string): string[]
}

/**
 * Reads a form that was sent from a page of this server. Throws `ForeignForm` for a form from another site (by
 * Sec-Fetch-Site or Origin) or without the session's `csrf` token. Throws `ValidationFailed` for text with control
 * characters.
 */
export function readForm(request: PlainRequest, session?: { csrf: string }): FormFields {
  if (isForeign(request)) throw ForeignForm()
  // Browsers send line breaks as CRLF.
  const form = new URLSearchParams(request.body.toString('utf8').replaceAll(/%0D%0A/gi, '%0A'))
  if (session !== undefined && !isSame(form.get('csrf') ?? '', session.csrf)) throw ForeignForm()
  for (const [name, value] of form) {
    const message = controlIssue(value)
    if (message !== undefined) throw ValidationFailed([{ path: name, message }])
  }
  return { text: (name) => form.get(name) ?? '', all: (name) => form.getAll(name) }
}

function isForeign({ headers }: PlainRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  // Older browsers send Origin instead. A request with neither does not come from a browser, so it carries no one's
  // cookies.
  const { origin, host } = headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** What is wrong with the fields of a form, by field name. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Returns the issues of a `ValidationFailed` by field; an issue of an item (`scopes.2`) counts for its field. Rethrows
 * any other error.
 */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!(error instanceof AppError) || error.code !== ValidationFailed.code) throw error
  const issues = error.body.details ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.split('.', 1)[0], `It ${message}.`]))
}

/** Returns the message of an error of this kind. Rethrows any other error. */
export function messageOf({ code }: Pick<ReturnType<typeof defineError>, 'code'>, error: unknown): string {
  if (!(error instanceof AppError) || error.code !== code) throw error
  return error.message
}
