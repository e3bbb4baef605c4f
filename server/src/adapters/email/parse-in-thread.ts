import { inThread, readingLimits } from '#kernel/threads/in-thread.ts'
import type { ReceivedMail } from '../../modules/messages/ports.ts'
import { type parseBeginning, type parseMail, unreadableMail } from './parse-mail.ts'

const parser = import.meta.resolve('./parse-mail.ts')

/**
 * Parses a mail in a thread. If it takes too much work, reads only its beginning, so that a STOP there counts; and if
 * that takes too much work, records that the mail could not be read. Never rejects.
 */
export async function parseInThread(
  raw: Uint8Array,
  receivedAt: Date | null,
  authservIds: readonly string[],
  limits = readingLimits,
  limitsOfBeginning = readingLimits,
): Promise<ReceivedMail> {
  try {
    return await inThread<typeof parseMail>(parser, 'parseMail', limits)(raw, receivedAt, authservIds)
  } catch {
    return inThread<typeof parseBeginning>(parser, 'parseBeginning', limitsOfBeginning)(
      raw,
      receivedAt,
      authservIds,
    ).catch(() => unreadableMail(raw, receivedAt))
  }
}
