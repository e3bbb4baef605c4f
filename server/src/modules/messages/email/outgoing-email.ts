import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import type { SenderRow } from '../../senders/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import type { Message } from '../message.ts'
import type { OutgoingEmail } from '../ports.ts'
import { type ThreadRow, listThreads } from './queries.ts'
import { bounceAddress, messageIdHeader, replyAddress, unsubscribeToken } from './tokens.ts'

/**
 * Whether unsubscribe links can work. The page is at this server's public address, which a process that is only a
 * worker knows only if it is configured.
 */
export const canUnsubscribe = ({ origin }: Pick<Ctx, 'origin'>): boolean => origin() !== ''

/**
 * Reads what these emails of one sender carry besides their content: names, thread, tokens, and what marketing
 * requires. Call the result for each attempt. It returns null if the sender is not an email address.
 */
export async function outgoingEmails(
  tx: Tx,
  origin: () => string,
  sender: SenderRow,
  messages: readonly Message[],
): Promise<(message: Message, attemptId: string) => OutgoingEmail | null> {
  if (sender.channel !== 'EMAIL') return () => null
  const [{ name }, { postal_address: postalAddress }, threads] = await Promise.all([
    findWorkspace(tx, tx.workspaceId).then(orNotFound),
    findComplianceSettings(tx),
    listThreads(
      tx,
      messages.map(({ id }) => id),
    ),
  ])
  const { keys, workspaceId } = tx
  const owner = { keys, workspaceId }
  return ({ id, to, conversation_id, message_class, created_at, calendar }, attemptId) => {
    const token = () => unsubscribeToken(keys, { workspaceId, messageId: id, address: to ?? '' })
    return {
      messageId: messageIdHeader(id, sender.address),
      references: threads.filter(({ message_id }) => message_id === id).flatMap(headerOf),
      fromName: sender.name ?? name,
      replyTo:
        conversation_id === null ? sender.address : replyAddress(owner, sender.address, conversation_id),
      bounceTo: bounceAddress(owner, sender.address, attemptId),
      writtenAt: new Date(created_at),
      marketing:
        message_class === 'marketing'
          ? {
              unsubscribeUrl: canUnsubscribe({ origin }) ? `${origin()}/unsubscribe/${token()}` : null,
              postalAddress,
            }
          : null,
      calendar,
    }
  }
}

/**
 * The Message-ID of a message in the thread. That of an outbound message follows from its id; that of an inbound one is
 * what it came with, if that is usable.
 */
function headerOf({ id, direction, from, provider_message_id: providerMessageId }: ThreadRow): string[] {
  if (direction === 'OUTBOUND') return from === null ? [] : [messageIdHeader(id, from)]
  const [messageId = ''] = (providerMessageId ?? '').split(' ')
  return messageIdForm.test(messageId) ? [messageId] : []
}

/** Excludes whatever would end a header, or make it hard to fold. */
const messageIdForm = /^<[!-;=?-~]{1,250}>$/
