import type { Tx } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { lockContactsForShare, lockPersons } from '../../contacts/public.ts'
import { advances } from '../advance.ts'
import { learnFrom } from '../learn-from.ts'
import { pointOf } from '../message.ts'
import type { ProviderAccount, StatusReport } from '../ports.ts'
import {
  endAttempt,
  findMessageOfAttempt,
  listMessagesById,
  lockMessages,
  findByProviderId,
} from '../queries.ts'
import { endAttempts, lockQueued } from '../queue/queries.ts'
import { reportStatus } from '../report-status.ts'
import { providerIdOf } from './receive-message.ts'

/**
 * Records a provider's report about a message of ours. Reports may come in any order and repeatedly. Settles an attempt
 * whose outcome was not known yet, because the report proves that the provider has it. Ignores messages that this
 * connection has not sent.
 */
export async function recordStatus(tx: Tx, account: ProviderAccount, report: StatusReport): Promise<void> {
  const id = await findReported(tx, account.id, report)
  const [seen] = id === undefined ? [] : await listMessagesById(tx, [id])
  if (seen?.direction !== 'OUTBOUND' || seen.connection_id !== account.id) return
  const contactIds = seen.contact_id === null ? [] : [seen.contact_id]
  // A failure may mean an opt-out, which is written under the person's locks.
  if (report.failure !== null && seen.to !== null)
    await lockPersons(tx, { contactIds, points: [pointOf(seen)] })
  else if (contactIds.length > 0) await lockContactsForShare(tx, contactIds)
  const queued = await lockQueued(tx, seen.id)
  const [message] = await lockMessages(tx, [seen.id])
  if (message === undefined) return
  if (queued !== undefined) {
    // A failed attempt does not end a later one. Proof that the message left ends them all.
    if (queued.attempt_id !== report.attemptId && report.status === 'failed') return
    endAttempts(tx, [message.id])
    if (queued.attempt_id !== null) endAttempt(tx, queued.attempt_id, 'taken', null, tx.clock.now())
  }
  if (report.failure !== null && advances(message.status, report.status))
    await learnFrom(tx, message, report.failure.code)
  await reportStatus(tx, message, report)
}

async function findReported(
  tx: Tx,
  connectionId: string,
  { attemptId, providerMessageId }: StatusReport,
): Promise<string | undefined> {
  if (attemptId !== null) return isId(attemptId) ? findMessageOfAttempt(tx, attemptId) : undefined
  if (providerMessageId === null) return undefined
  return findByProviderId(tx, connectionId, providerIdOf({ providerMessageId }))
}
