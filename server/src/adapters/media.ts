import type { Egress, StreamedReply } from '#kernel/egress/egress.ts'
import type { MediaReply } from '../modules/messages/ports.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Reads a file of a message at its provider. Follows one redirect, and sends no credentials there: providers keep files
 * elsewhere. The egress calls public addresses over https only. Rejects if a retry may work.
 */
export async function readMedia(
  egress: Egress,
  url: string,
  headers: Record<string, string>,
  maxBytes: number,
): Promise<MediaReply> {
  const first = await egress.stream({ method: 'GET', url, headers, maxBytes })
  if (!redirects.has(first.status)) return contentOf(first, maxBytes)
  const { location } = first.headers
  first.body.destroy()
  const target = typeof location === 'string' ? URL.parse(location, url) : null
  if (target === null) throw new Error('The redirect of a file has no address.')
  const second = await egress.stream({ method: 'GET', url: target.href, headers: {}, maxBytes })
  return contentOf(second, maxBytes)
}

function contentOf(reply: StreamedReply, maxBytes: number): MediaReply {
  if (reply.status === 200) {
    if (Number(reply.headers['content-length'] ?? 0) <= maxBytes) return reply.body
    reply.body.destroy()
    return 'too_large'
  }
  reply.body.destroy()
  if (reply.status === 404 || reply.status === 410) return 'gone'
  throw new Error(`The file could not be read: status ${reply.status}.`)
}
