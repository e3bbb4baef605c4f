import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { Provide } from '#kernel/http/endpoint.ts'
import { reserveFile, storeFile } from '../../files/public.ts'
import type { MessageDraft } from '../draft.ts'
import type { StoredMedia } from '../message-media.ts'
import type { Plan } from '../plan-message.ts'
import type { MessageDependencies } from '../ports.ts'
import { bareType, extensionOf, isOfType } from './media-types.ts'

/** What carriers take on the way out. */
const sendable = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf', 'text/vcard']

const maxBytes = 5 * 2 ** 20

const startMs = 5_000

/** The files of a message that is not accepted are erased after this time. */
const unclaimedMs = 3_600_000

const mediaUrlsOf = (draft: MessageDraft): readonly string[] =>
  draft.channel === 'email' ? [] : (draft.media_urls ?? [])

/**
 * Fetches the files that a message is to have, and stores them. Throws 400 for an address that must not be called, that
 * does not respond with the file, and for a file that is too large or of another type. A message that a gate forbids has
 * no files.
 */
export async function storeMedia(
  ctx: Ctx,
  draft: MessageDraft,
  plan: Plan,
  provide: Provide<MessageDependencies>,
): Promise<Plan> {
  const urls = mediaUrlsOf(draft)
  const isKept = plan.verdict.allowed || (draft.when_blocked === 'schedule' && plan.verdict.retryAt !== null)
  if (urls.length === 0 || !isKept) return plan
  const { files } = await provide()
  const media: StoredMedia[] = []
  // One by one, so that at most one is in memory.
  for (const [index, url] of urls.entries()) {
    const { content, contentType } = await fetchOne(ctx, url, `media_urls.${index}`)
    const name = nameIn(url) ?? `${index + 1}.${extensionOf(contentType)}`
    const expiresAt = later(ctx.clock.now(), unclaimedMs)
    const file = { name, media_type: contentType, scope: 'messages:read' as const, expiresAt }
    const id = await ctx.transaction(async (tx) => reserveFile(tx, file))
    await storeFile(ctx, files, id, async () => once(content), maxBytes)
    media.push({ id, content_type: contentType, size: content.length, name, status: 'stored', source: null })
  }
  return { ...plan, own: { ...plan.own, media } }
}

async function fetchOne(ctx: Ctx, url: string, path: string) {
  const fail = (message: string) => ValidationFailed([{ path, message }])
  const issue = ctx.egress.issueOf(url)
  if (issue !== undefined) throw fail(issue)
  const reply = await ctx.egress.send({
    method: 'GET',
    url,
    headers: { accept: sendable.join(', ') },
    startMs,
    maxBytes,
  })
  if (reply.status !== 200) throw fail(`could not be fetched: ${reply.failure ?? `status ${reply.status}`}`)
  const declared = bareType(String(reply.headers['content-type'] ?? ''))
  const contentType = [declared === 'text/x-vcard' ? 'text/vcard' : declared, ...sendable.slice(0, -1)].find(
    (type) => sendable.includes(type) && isOfType(type, reply.body.subarray(0, 32)),
  )
  if (contentType === undefined) throw fail('is not a JPEG, PNG, GIF, WebP, PDF, or vCard')
  return { content: reply.body, contentType }
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** The file name at the end of an address. */
function nameIn(url: string): string | undefined {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return /^[\w .()-]{1,100}\.[a-z\d]{2,5}$/i.test(last) ? last : undefined
}
