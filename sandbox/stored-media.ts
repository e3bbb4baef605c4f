import type { MessageLog } from './message-log.ts'
import { type CarrierRequest, type Served, notFound } from './served.ts'

/**
 * Where providers store the files of messages: `/stored-media/twilio/{id}` is Twilio's store, which rejects requests with
 * credentials as a bucket does; `/stored-media/meta/{id}` is Meta's, which requires an access token.
 */
export const storedMedia =
  (log: MessageLog) =>
  ({ method, path: [, provider, id = ''], headers: { authorization } }: CarrierRequest): Served => {
    const found = log.findMedia(id)
    if (method !== 'GET' || found === undefined) return notFound
    const isMeta = provider === 'meta'
    if (
      isMeta !== (authorization?.startsWith('Bearer ') ?? false) ||
      (!isMeta && authorization !== undefined)
    )
      return { status: isMeta ? 401 : 400, headers: {}, body: 'Not authorized.' }
    return { status: 200, headers: { 'content-type': found.contentType }, body: found.content }
  }
