import type { Condition, ConditionField, FieldRegistry } from '#kernel/conditions/condition.ts'
import type { Moment } from '#kernel/conditions/hours.ts'
import {
  type AppointmentRow,
  appointmentOutcomes,
  appointmentStatuses,
  appointmentTypes,
} from '../../calendar/public.ts'
import type { Send, SendFacts } from '../../compliance/public.ts'
import { type Contact, stages } from '../../contacts/public.ts'
import { type DealRow, dealStatuses, dealTypes } from '../../deals/public.ts'
import { type ConsentedLead, leadStatuses } from '../../leads/public.ts'
import type { Facts } from '../../routing/public.ts'

/** The facts that the conditions of an automation can test. */
export interface EnrollmentFacts extends FurtherFacts {
  contact: Contact
  /** The data of the event that started the enrollment or could start it, and the record that the event is about. */
  trigger: Readonly<Record<string, unknown>>
  subject: { type: string; id: string } | null
  /** The data from the enrollment request. */
  context: Readonly<Record<string, unknown>>
  /** The data of the event that a `wait_for` received. */
  event?: Readonly<Record<string, unknown>>
}

/** Facts beyond contact and event. They are loaded only if conditions test them. */
export interface FurtherFacts {
  /** The lead that the event is about, or else the contact's newest one, with the facts that routing uses. */
  lead?: Facts & Pick<ConsentedLead, 'status' | 'assignee_id'>
  /** The deal that the event is about, or else the contact's newest open one. */
  deal?: DealRow
  /** The appointment that the event is about, or else the contact's next one. */
  appointment?: AppointmentRow
  /** Consent and opt-outs by channel. Omits channels for which the contact has no number or address. */
  standing?: Partial<Record<Send['channel'], Pick<SendFacts['contact'], 'consent' | 'optedOut'>>>
  exchange?: { inbound: string | null; outbound: string | null }
}

type Field = ConditionField<EnrollmentFacts>
type Read<Of> = (of: Of, moment: Moment) => unknown

const fieldOf =
  <Of>(of: (facts: EnrollmentFacts) => Of | undefined) =>
  (type: Field['type'], read: Read<Of>, values?: readonly string[]): Field => ({
    type,
    read(facts, moment) {
      const one = of(facts)
      return one === undefined ? undefined : read(one, moment)
    },
    ...(values && { values }),
  })

const contact = fieldOf((facts) => facts.contact)
const lead = fieldOf((facts) => facts.lead)
const deal = fieldOf((facts) => facts.deal)
const appointment = fieldOf((facts) => facts.appointment)
const standing = fieldOf((facts) => facts.standing)
const exchange = fieldOf((facts) => facts.exchange)

const hourMs = 3_600_000

/** Whole days since then. */
const daysSince = (time: string | null, { at }: Moment) =>
  time === null ? undefined : Math.floor((at - Date.parse(time)) / (24 * hourMs))

const consents = ['none', 'partial', 'express', 'express_written', 'revoked']

const consentOn = (channel: Send['channel']) =>
  standing(
    'text',
    (by) => {
      const { level = 'none', revoked = false } = by[channel]?.consent ?? {}
      return revoked ? 'revoked' : level
    },
    consents,
  )

const optOutOf = (channel: Send['channel']) =>
  standing('truth', (by) => (by[channel]?.optedOut ?? []).length > 0)

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
  'lead.status': lead('text', ({ status }) => status, leadStatuses),
  'lead.source': lead('text', ({ source }) => source),
  'lead.assignee_id': lead('text', ({ assignee_id }) => assignee_id),
  'lead.tags': lead('list', ({ tags }) => tags),
  'lead.zip': lead('text', ({ zip }) => zip),
  'lead.city': lead('text', ({ city }) => city),
  'lead.state': lead('text', ({ state }) => state),
  'lead.price': lead('number', ({ price }) => price),
  'lead.area_code': lead('text', ({ area_code }) => area_code),
  'lead.consent_status': lead('text', ({ consent_status }) => consent_status, [
    'none',
    'insufficient',
    'sufficient',
  ]),
  'deal.status': deal('text', ({ status }) => status, dealStatuses),
  'deal.type': deal('text', ({ type }) => type, dealTypes),
  'deal.pipeline_id': deal('text', ({ pipeline_id }) => pipeline_id),
  'deal.stage_id': deal('text', ({ stage_id }) => stage_id),
  'deal.owner_id': deal('text', ({ owner_id }) => owner_id),
  'deal.listing_id': deal('text', ({ listing_id }) => listing_id),
  'deal.price': deal('number', ({ price }) => price),
  'deal.list_price': deal('number', ({ list_price }) => list_price),
  'deal.days_in_stage': deal('number', ({ stage_changed_at }, moment) => daysSince(stage_changed_at, moment)),
  'appointment.type': appointment('text', ({ type }) => type, appointmentTypes),
  'appointment.status': appointment('text', ({ status }) => status, appointmentStatuses),
  'appointment.outcome': appointment('text', ({ outcome }) => outcome, appointmentOutcomes),
  'appointment.host_id': appointment('text', ({ host_id }) => host_id),
  'appointment.listing_id': appointment('text', ({ listing_id }) => listing_id),
  'appointment.deal_id': appointment('text', ({ deal_id }) => deal_id),
  'appointment.hours_until': appointment('number', ({ starts_at }, { at }) =>
    Math.floor((Date.parse(starts_at) - at) / hourMs),
  ),
  'consent.sms': consentOn('sms'),
  'consent.whatsapp': consentOn('whatsapp'),
  'consent.voice': consentOn('voice'),
  'consent.email': consentOn('email'),
  'opted_out.sms': optOutOf('sms'),
  'opted_out.whatsapp': optOutOf('whatsapp'),
  'opted_out.voice': optOutOf('voice'),
  'opted_out.email': optOutOf('email'),
  'days_since.inbound': exchange('number', ({ inbound }, moment) => daysSince(inbound, moment)),
  'days_since.outbound': exchange('number', ({ outbound }, moment) => daysSince(outbound, moment)),
  time: { type: 'time', read: (_, moment) => moment.local(moment.timezone).time },
} satisfies Record<string, Field>

/** The fields that conditions on contacts can test: without an event, and without data from a request. */
export const contactFields: FieldRegistry<EnrollmentFacts> = {
  fields,
  open: { 'lead.context': (facts) => facts.lead?.context },
}

/** The fields that conditions of automations can test. */
export const conditionFields: FieldRegistry<EnrollmentFacts> = {
  fields,
  open: {
    trigger: ({ trigger }) => trigger,
    context: ({ context }) => context,
    event: ({ event }) => event,
    ...contactFields.open,
  },
}

const factOfField: Readonly<Record<string, keyof FurtherFacts>> = {
  lead: 'lead',
  deal: 'deal',
  appointment: 'appointment',
  consent: 'standing',
  opted_out: 'standing',
  days_since: 'exchange',
}

/** The facts beyond contact and event that these conditions test. */
export function factsNeeded(conditions: readonly Condition[]): ReadonlySet<keyof FurtherFacts> {
  return new Set(
    conditions.flatMap((condition) => {
      if ('field' in condition) return factOfField[condition.field.split('.')[0] ?? ''] ?? []
      return Object.values(condition).flatMap((parts: Condition[]) => [...factsNeeded(parts)])
    }),
  )
}
