import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import type { SenderRow } from '../../senders/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import type { Message } from '../message.ts'
import type { OutgoingEmail } from '../ports.ts'
import { type ThreadRow, listThreads } from './queries.ts'
import { bounceAddress, messageIdHeader, replyAddress, unsubscribeToken } from './tokens.ts'

/** Whether people can unsubscribe: the page is at the public address of this server, which a worker alone has only if it is set. */
export const canUnsubscribe = ({ origin }: Pick<Ctx, 'origin'>): boolean => origin() !== ''

/**
 * Reads what the emails among these messages of one sender carry beside their content: names, thread, tokens, and what marketing
 * must have. The result is asked with the attempt that sends one; it is null for what is no email.
 */
export async function outgoingEmails(
  tx: Tx,
  origin: () => string,
  sender: SenderRow,
  messages: readonly Message[],
): Promise<(message: Message, attemptId: string) => OutgoingEmail | null> {
  if (sender.channel !== 'EMAIL') return () => null
  const [{ name }, { postal_address: postalAddress }, threads] = await Promise.all([
    findWorkspace(tx, tx.workspaceId).then(found),
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

/** The Message-ID of a message of the thread: ours follows from its id, and theirs came with it if they gave it one. */
function headerOf({ id, direction, from, provider_message_id: theirs }: ThreadRow): string[] {
  if (direction === 'OUTBOUND') return from === null ? [] : [messageIdHeader(id, from)]
  return theirs !== null && messageIdForm.test(theirs) ? [theirs] : []
}

/** Nothing that would end a header, or make it hard to fold. */
const messageIdForm = /^<[!-;=?-~]{1,250}>$/
