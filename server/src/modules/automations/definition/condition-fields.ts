import type { ConditionField, FieldRegistry } from '#kernel/conditions/condition.ts'
import { type Contact, stages } from '../../contacts/public.ts'

/** What the conditions of an automation can ask for. */
export interface EnrollmentFacts {
  contact: Contact
  /** The data of the event that started it, or of the one that could. */
  trigger: Readonly<Record<string, unknown>>
  /** The record that it is about. */
  subject: { type: string; id: string } | null
  /** What the enrollment brought. */
  context: Readonly<Record<string, unknown>>
  /** The data of the event that it waited for. */
  event?: Readonly<Record<string, unknown>>
}

const contact = (
  type: ConditionField<EnrollmentFacts>['type'],
  read: (contact: Contact) => unknown,
  values?: readonly string[],
): ConditionField<EnrollmentFacts> => ({
  type,
  read: ({ contact: of }) => read(of),
  ...(values && { values }),
})

const fields = {
  'contact.stage': contact('text', ({ stage }) => stage, stages),
  'contact.source': contact('text', ({ source }) => source),
  'contact.tags': contact('list', ({ tags }) => tags),
  'contact.owner_id': contact('text', ({ owner_id }) => owner_id),
  'contact.city': contact('text', ({ address }) => address?.city),
  'contact.state': contact('text', ({ address }) => address?.state),
  'contact.zip': contact('text', ({ address }) => address?.postal_code),
  'contact.has_phone': contact('truth', ({ phone }) => phone !== null),
  'contact.has_email': contact('truth', ({ email }) => email !== null),
  'contact.ai_auto_response': contact('text', ({ ai_auto_response }) => ai_auto_response, [
    'active',
    'paused',
  ]),
  time: { type: 'time', read: (_, moment) => moment.local(moment.timezone).time },
} satisfies Record<string, ConditionField<EnrollmentFacts>>

/** The fields that conditions of automations can test. */
export const conditionFields: FieldRegistry<EnrollmentFacts> = {
  fields,
  open: { trigger: ({ trigger }) => trigger, context: ({ context }) => context, event: ({ event }) => event },
}
