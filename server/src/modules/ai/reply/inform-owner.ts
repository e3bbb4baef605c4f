import type { Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findContact } from '../../contacts/public.ts'
import { findMessage } from '../../messages/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { mailOwner } from './hand-off.ts'
import type { JustReceived } from './queue-reply.ts'
import { findPersonaFor, mayRespondTo } from './read-scene.ts'

/**
 * Emails the owner of a contact who is not interested: such a message pauses the AI, which would otherwise have
 * responded.
 */
export async function informOwner(
  tx: Tx,
  { id, contact_id, channel, asks_for }: JustReceived,
): Promise<void> {
  if (tx.isLate || contact_id === null || asks_for !== 'review') return
  const [contact, persona, last, workspace] = await Promise.all([
    findContact(tx, contact_id),
    findPersonaFor(tx, { clock: tx.clock, directory: tx }, channel),
    findMessage(tx, id),
    findWorkspace(tx, tx.workspaceId),
  ])
  if (contact === undefined || !mayRespondTo(contact) || persona === undefined) return
  await mailOwner(
    tx,
    tx,
    { contact, persona, last, workspace: orNotFound(workspace) },
    'the contact is not interested',
  )
}
