import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/** A note has no record besides its event: in the API, a note is a timeline entry. */
export const NoteAdded = event('note.added', {
  scope: null,
  summary: 'A note was added to a contact',
  subject: 'contact',
  data: Type.Object({ id: Type.String(), body: Type.Optional(Type.String()) }),
  example: { id: 'cmi8h2k5p0001zq8r4t6w9x3y', body: 'Prefers mornings.' },
  personal: ['body'],
  timelineOf: (data) => data.id,
  entry: ({ body }) => ({ type: 'note', title: 'Note', body: body ?? null }),
})
