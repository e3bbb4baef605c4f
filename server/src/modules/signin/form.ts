import { timingSafeEqual } from 'node:crypto'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { hygieneFault } from '#kernel/http/text.ts'
import type { Visitor } from './visitor.ts'

const ForeignForm = defineError('forbidden', 403, () => ({
  message:
    'This form does not come from a page of this server, or its page is too old. Go back, load it anew, and try again.',
}))

/** Fields of a form; of a repeated one all values. */
export interface Fields {
  /** The value, empty where there is none. */
  text(name: string): string
  all(name: string): string[]
}

/**
 * Reads a form that a page of ours has posted. Throws ForeignForm for one of another site: a browser says where a form
 * comes from (Sec-Fetch-Site, or Origin), and with a `visitor` it also brings what only their page has. Text that is not
 * clean is a ValidationFailed.
 */
export function readForm(request: PlainRequest, visitor?: Visitor): Fields {
  if (isForeign(request)) throw ForeignForm()
  // A form ends its lines as the network does.
  const form = new URLSearchParams(request.body.toString('utf8').replaceAll(/%0D%0A/gi, '%0A'))
  if (visitor !== undefined && !isSame(form.get('csrf') ?? '', visitor.csrf)) throw ForeignForm()
  for (const [name, value] of form) {
    const fault = hygieneFault(value, name)
    if (fault !== undefined) throw ValidationFailed([fault])
  }
  return { text: (name) => form.get(name) ?? '', all: (name) => form.getAll(name) }
}

function isForeign({ headers }: PlainRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  // Older browsers. Whoever names no origin is no browser, and nobody's cookies are with it.
  const { origin, host } = headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
