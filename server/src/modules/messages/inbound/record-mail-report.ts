import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { suppressIn } from '../../compliance/public.ts'
import { type EmailAddress, type Point, lockPersons } from '../../contacts/public.ts'
import { countBounces } from '../email/queries.ts'
import { readAddressToken } from '../email/tokens.ts'
import type { Message } from '../message.ts'
import type { MailReport, ProviderAccount } from '../ports.ts'
import { findMessageOfAttempt, listMessagesById, recordDelay } from '../queries.ts'
import { recordStatus } from './record-status.ts'

/** This many bounces of an address within this time suppress it, whatever the reasons. */
const maxBounces = 5
const bouncesMs = 30 * 24 * 3_600_000

/**
 * Records what a mail server reports about an email of ours, if the report carries our token of the attempt; anyone can
 * write the rest. It counts for the address that the attempt went to, whatever address it names. No more emails go to
 * an address that does not exist or bounces five times in 30 days, nor to an address that sent a complaint.
 */
export async function recordMailReport(tx: Tx, account: ProviderAccount, report: MailReport): Promise<void> {
  const attempt = await findAttempt(tx, account, report)
  if (attempt === undefined) return
  const { message, attemptId, point } = attempt
  const { kind, failure, at } = report
  if (kind === 'delayed') {
    if (failure !== null) recordDelay(tx, attemptId, { ...failure, delayed: true })
    return
  }
  await lockPersons(tx, { contactIds: [], points: [point] })
  if (kind === 'complaint') {
    await suppressIn(tx, [{ subject: point, kind: 'complaint', source: 'carrier' }])
    return
  }
  const status = kind === 'bounced' ? 'undelivered' : 'delivered'
  await recordStatus(tx, account, { attemptId, providerMessageId: null, status, failure, at })
  if (kind !== 'bounced' || message.to === null) return
  const since = later(tx.clock.now(), -bouncesMs)
  if ((await countBounces(tx, message.to, since)) >= maxBounces)
    await suppressIn(tx, [{ subject: point, kind: 'hard_bounce', source: 'carrier' }])
}

interface Attempt {
  message: Message
  attemptId: string
  point: Point
}

async function findAttempt(
  tx: Tx,
  account: ProviderAccount,
  { addresses }: MailReport,
): Promise<Attempt | undefined> {
  for (const address of addresses) {
    const token = readAddressToken({ keys: tx.keys, workspaceId: tx.workspaceId }, address)
    if (token?.kind !== 'bounce') continue
    const { attemptId } = token
    const id = await findMessageOfAttempt(tx, attemptId)
    const [message] = id === undefined ? [] : await listMessagesById(tx, [id])
    if (message?.connection_id !== account.id || message.to === null) continue
    return { message, attemptId, point: { type: 'email', value: message.to as EmailAddress } }
  }
  return undefined
}
