/**
 * The parameters of a form or query string, parsed strictly: repeated parameters are not merged, and invalid escapes
 * are not repaired. A parameter without a value counts as absent (RFC 6749, 3.1).
 */
export interface Form {
  /** The first readable value of each parameter. */
  readonly values: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>
  /** Names whose value is not percent-encoded UTF-8. */
  readonly unreadable: ReadonlySet<string>
  /** Whether there are too many parameters or a name is unreadable. If so, the values must not be used. */
  readonly malformed: boolean
}

const maxParameters = 64

/** Parses `application/x-www-form-urlencoded` text. */
export function parseForm(text: string): Form {
  const values = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const unreadable = new Set<string>()
  const pairs = text === '' ? [] : text.split('&', maxParameters + 1)
  let malformed = pairs.length > maxParameters
  for (const pair of malformed ? [] : pairs.filter((one) => one !== '')) {
    const at = pair.indexOf('=')
    const name = decodeFormValue(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decodeFormValue(pair.slice(at + 1))
    if (name === undefined) {
      malformed = true
      continue
    }
    if (seen.has(name)) repeated.add(name)
    else if (value !== undefined && value !== '') values.set(name, value)
    if (value === undefined) unreadable.add(name)
    seen.add(name)
  }
  return { values, repeated, unreadable, malformed }
}

/** Decodes `+` and percent-encoding; undefined if the result is not UTF-8. */
export function decodeFormValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const control = /[\0-\x1f\x7f-\x9f]/

const isForm = /^application\/x-www-form-urlencoded *(;|$)/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses the parameters of a body. Returns undefined if the body is not a UTF-8 form, or if a parameter is repeated, is
 * unreadable, or contains control characters.
 */
export function parseFormBody(
  contentType: string | undefined,
  body: Buffer,
): ReadonlyMap<string, string> | undefined {
  if (body.length > 0 && !isForm.test(contentType ?? '')) return undefined
  const text = textOf(body)
  if (text === undefined) return undefined
  const { values, repeated, unreadable, malformed } = parseForm(text)
  if (malformed || repeated.size > 0 || unreadable.size > 0) return undefined
  return [...values].flat().some((one) => control.test(one)) ? undefined : values
}

function textOf(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
