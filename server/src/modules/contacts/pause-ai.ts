import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { ContactErased } from './errors.ts'
import { lockContact, saveContact } from './queries.ts'

/** Stops the AI from answering the contact by itself: a person has taken over. 404 and 409 as for any write. */
export async function pauseAi({ clock }: Ctx, tx: Tx, id: string): Promise<void> {
  const contact = found(await lockContact(tx, id))
  if (contact.erased_at !== null) throw ContactErased()
  if (contact.ai_auto_response === 'paused') return
  saveContact(tx, {
    ...contact,
    ai_auto_response: 'paused',
    updated_at: clock.now().toISOString(),
  })
}
