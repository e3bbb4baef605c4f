import { fact, stepText, stepTypeFor } from '#kernel/steps/step-type.ts'
import type { Contact } from '../contacts/public.ts'
import { addNote } from './add-note.ts'

export const noteStep = stepTypeFor<Contact>()({
  type: 'note',
  members: { body: stepText(5000) },
  literals: ['body'],
  async perform({ ctx, person }, { body }) {
    const note = await addNote(ctx, person.id, body)
    return { fact: fact('done', null, { event_id: note.id }) }
  },
  rehearse: async () => ({ fact: fact('done') }),
})
