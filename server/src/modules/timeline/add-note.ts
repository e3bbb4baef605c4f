import type { Ctx } from '#kernel/context.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { pauseAi } from '../contacts/public.ts'
import { NoteAdded } from './events.ts'

/** Adds a note to a contact's timeline, and pauses the AI for the contact unless an automation wrote the note. */
export const addNote = (ctx: Ctx, contactId: string, body: string): Promise<JournalRow> =>
  ctx.transaction(async (tx) => {
    if (tx.actor.type !== 'automation') await pauseAi(tx, contactId, 'note')
    return tx.emit(NoteAdded, { id: contactId, body })
  })
