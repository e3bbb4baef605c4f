import { createHmac } from 'node:crypto'

/** The X-Twilio-Signature of a callback: over its URL without the fragment, and its parameters sorted by name. */
export const signatureOf = (
  token: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
): string =>
  createHmac('sha1', token)
    .update(
      Object.entries(parameters)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .reduce((text, [name, value]) => text + name + value, url.replace(/#.*$/s, '')),
    )
    .digest('base64')
