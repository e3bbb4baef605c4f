import type { Condition } from '#kernel/conditions/condition.ts'
import type { Ctx } from '#kernel/context.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { isId } from '#kernel/ids.ts'
import { findAppointment, findNextAppointment } from '../../calendar/public.ts'
import type { Send } from '../../compliance/public.ts'
import { type Contact, type Point, toEmailAddress } from '../../contacts/public.ts'
import { findDeal, findNewestOpenDeal } from '../../deals/public.ts'
import { factsOf, findLead, findNewestLead } from '../../leads/public.ts'
import { findLastExchange, findSendFacts } from '../../messages/public.ts'
import { type EnrollmentFacts, type FurtherFacts, factsNeeded } from '../definition/condition-fields.ts'

type Known = Pick<EnrollmentFacts, 'contact' | 'trigger' | 'subject' | 'context'>
type Source = Pick<Ctx, 'db' | 'keys'>

/** What an event says, for the facts of an enrollment that it started. */
export const factsOfEvent = (event: JournalRow | undefined): Pick<Known, 'trigger' | 'subject'> => ({
  trigger: event?.data ?? {},
  subject: event === undefined ? null : { type: event.subject_type, id: event.subject_id },
})

/** Adds what the conditions ask for, with one read of each kind. What there is none of is left out. */
export async function loadFacts(
  source: Source,
  known: Known,
  conditions: readonly Condition[],
  now: Date,
): Promise<EnrollmentFacts> {
  const needed = factsNeeded(conditions)
  const loaded = await Promise.all(
    [...needed].map(async (name) => ({ [name]: await loaders[name](source, known, now) })),
  )
  return Object.assign({}, known, ...loaded)
}

/** The deal that the event or the request is about, else the newest open one. */
export const findDealOf = (source: Source, known: Known, now: Date) => loaders.deal(source, known, now)

/** The appointment that the event or the request is about, else the next one. */
export const findAppointmentOf = (source: Source, known: Known, now: Date) =>
  loaders.appointment(source, known, now)

const loaders: {
  [Name in keyof FurtherFacts]-?: (
    source: Source,
    known: Known,
    now: Date,
  ) => Promise<FurtherFacts[Name] | undefined>
} = {
  async lead({ db }, known, now) {
    const id = idIn(known, 'lead')
    const lead = await (id === undefined ? findNewestLead(db, known.contact.id) : findLead(db, id))
    return (
      lead && { ...factsOf(lead, known.contact, now), status: lead.status, assignee_id: lead.assignee_id }
    )
  },
  deal({ db }, known) {
    const id = idIn(known, 'deal')
    return id === undefined ? findNewestOpenDeal(db, known.contact.id) : findDeal(db, id)
  },
  appointment({ db }, known, now) {
    const id = idIn(known, 'appointment')
    return id === undefined ? findNextAppointment(db, known.contact.id, now) : findAppointment(db, id)
  },
  async standing(source, { contact }, now) {
    const to = pointsOf(contact)
    const channels = (['sms', 'whatsapp', 'voice', 'email'] as const).filter(
      (channel) => to[channel] !== undefined,
    )
    const sends = channels.flatMap((channel) => {
      const point = to[channel]
      return point === undefined ? [] : [{ channel, to: point, contactId: contact.id }]
    })
    const found = sends.length === 0 ? [] : await findSendFacts(source, sends, now)
    return Object.fromEntries(channels.map((channel, i) => [channel, found[i]?.facts.contact]))
  },
  exchange: ({ db }, { contact }) => findLastExchange(db, contact.id),
}

/** The id of the record of this type that the event is about, or that it names. */
export function idIn({ subject, trigger, context }: Known, type: string): string | undefined {
  const name = `${type}_id`
  const named = subject?.type === type ? subject.id : (trigger[name] ?? context[name])
  return typeof named === 'string' && isId(named) ? named : undefined
}

function pointsOf({ phone, email }: Contact): Partial<Record<Send['channel'], Point>> {
  const number = phone === null ? undefined : ({ type: 'phone', value: phone } as Point)
  const value = email === null ? undefined : toEmailAddress(email)
  return {
    ...(number && { sms: number, whatsapp: number, voice: number }),
    ...(value && { email: { type: 'email', value } as Point }),
  }
}
