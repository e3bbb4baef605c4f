/**
 * The parameters of a form or query, read strictly: nothing is merged and nothing forgiven. A parameter without a value
 * counts as absent (RFC 6749, 3.1).
 */
export interface Form {
  /** The first value of each parameter that could be read. */
  readonly values: ReadonlyMap<string, string>
  /** Names that came more than once, whatever their values. */
  readonly repeated: ReadonlySet<string>
  /** Names whose value is not UTF-8 in percent-encoding. */
  readonly unreadable: ReadonlySet<string>
  /** Whether there are too many parameters, or a name is unreadable: then none is to be believed. */
  readonly broken: boolean
}

const maxParameters = 64

/** Reads `application/x-www-form-urlencoded` text. */
export function readForm(text: string): Form {
  const values = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const unreadable = new Set<string>()
  const pairs = text === '' ? [] : text.split('&', maxParameters + 1)
  let broken = pairs.length > maxParameters
  for (const pair of broken ? [] : pairs.filter((one) => one !== '')) {
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    if (name === undefined) {
      broken = true
      continue
    }
    if (seen.has(name)) repeated.add(name)
    else if (value !== undefined && value !== '') values.set(name, value)
    if (value === undefined) unreadable.add(name)
    seen.add(name)
  }
  return { values, repeated, unreadable, broken }
}

/** What `+` and percent-encoding stand for; undefined where that is no UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const control = /[\0-\x1f\x7f-\x9f]/

const isForm = /^application\/x-www-form-urlencoded *(;|$)/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body of parameters, each at most once and all of them clean; undefined for any other. */
export function readBody(
  contentType: string | undefined,
  body: Buffer,
): ReadonlyMap<string, string> | undefined {
  if (body.length > 0 && !isForm.test(contentType ?? '')) return undefined
  const text = textOf(body)
  if (text === undefined) return undefined
  const { values, repeated, unreadable, broken } = readForm(text)
  if (broken || repeated.size > 0 || unreadable.size > 0) return undefined
  return [...values].flat().some((one) => control.test(one)) ? undefined : values
}

function textOf(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
