import type { Condition } from '#kernel/conditions/condition.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { isId } from '#kernel/ids.ts'
import { type EnrollmentFacts, type FurtherFacts, factsNeeded } from '../../automations/public.ts'
import { findAppointment, findNextAppointment } from '../../calendar/public.ts'
import type { Send } from '../../compliance/public.ts'
import { type Contact, type Point, toEmailAddress } from '../../contacts/public.ts'
import { findDeal, findNewestOpenDeal } from '../../deals/public.ts'
import { factsOf, findLead, findNewestLead } from '../../leads/public.ts'
import { findLastExchange, findSendFacts } from '../../messages/public.ts'

/** `exchange`: the times of the last messages that a dry run assumes. They take precedence over the stored ones. */
type Known = Pick<EnrollmentFacts, 'contact' | 'trigger' | 'subject' | 'context' | 'exchange'>
type Source = Pick<Ctx, 'db' | 'keys'>

/** What an event contributes to the facts of the enrollment that it started. */
export const factsOfEvent = (event: JournalRow | undefined): Pick<Known, 'trigger' | 'subject'> => ({
  trigger: event?.data ?? {},
  subject: event === undefined ? null : { type: event.subject_type, id: event.subject_id },
})

/** Adds the facts that the conditions need, reading each kind once. Facts about a record that does not exist are undefined. */
export async function loadFacts(
  source: Source,
  known: Known,
  conditions: readonly Condition[],
  now: Date,
): Promise<EnrollmentFacts> {
  const [facts] = await loadFactsOfAll(source, [known], conditions, now)
  return orNotFound(facts)
}

/** The same for several contacts, in order. The reads run concurrently, and one call loads the consent and opt-outs of all contacts. */
export async function loadFactsOfAll(
  source: Source,
  all: readonly Known[],
  conditions: readonly Condition[],
  now: Date,
): Promise<EnrollmentFacts[]> {
  const needed = [...factsNeeded(conditions)]
  const loaded = await Promise.all(
    needed.map(async (name) => {
      const values = await loadAll(name, source, all, now)
      return values.map((value) => ({ [name]: value }))
    }),
  )
  return all.map((known, i) => Object.assign({}, known, ...loaded.map((values) => values[i])))
}

const loadAll = (name: keyof FurtherFacts, source: Source, all: readonly Known[], now: Date) =>
  name === 'standing'
    ? findStandings(
        source,
        all.map(({ contact }) => contact),
        now,
      )
    : Promise.all(all.map((known): Promise<unknown> => loaders[name](source, known, now)))

/** The appointment that the event or the request is about, or else the contact's next one. */
export const findAppointmentOf = (source: Source, known: Known, now: Date) =>
  loaders.appointment(source, known, now)

const loaders: {
  [Name in Exclude<keyof FurtherFacts, 'standing'>]-?: (
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
  async exchange({ db }, { contact, exchange: assumed }) {
    const last = await findLastExchange(db, contact.id)
    return {
      inbound: assumed?.inbound ?? last?.inbound ?? null,
      outbound: assumed?.outbound ?? last?.outbound ?? null,
    }
  },
}

/** The consent and opt-outs of contacts by channel, in few statements however many contacts there are. */
async function findStandings(
  source: Source,
  contacts: readonly Contact[],
  now: Date,
): Promise<NonNullable<FurtherFacts['standing']>[]> {
  const sends = contacts.flatMap(({ id, ...contact }, place) => {
    const to = pointsOf(contact)
    return (['sms', 'whatsapp', 'voice', 'email'] as const).flatMap((channel) => {
      const point = to[channel]
      return point === undefined ? [] : [{ channel, to: point, contactId: id, place }]
    })
  })
  const facts = sends.length === 0 ? [] : await findSendFacts(source, sends, now)
  const standings = contacts.map((): NonNullable<FurtherFacts['standing']> => ({}))
  for (const [i, { channel, place }] of sends.entries())
    orNotFound(standings[place])[channel] = orNotFound(facts[i]).facts.contact
  return standings
}

/** The ID of the record of this type that the event is about, or that the event or the request names. */
export function idIn(
  { subject, trigger, context }: Pick<Known, 'subject' | 'trigger' | 'context'>,
  type: string,
): string | undefined {
  const name = `${type}_id`
  const named = subject?.type === type ? subject.id : (trigger[name] ?? context[name])
  return typeof named === 'string' && isId(named) ? named : undefined
}

function pointsOf({
  phone,
  email,
}: Pick<Contact, 'phone' | 'email'>): Partial<Record<Send['channel'], Point>> {
  const number = phone === null ? undefined : ({ type: 'phone', value: phone } as Point)
  const value = email === null ? undefined : toEmailAddress(email)
  return {
    ...(number && { sms: number, whatsapp: number, voice: number }),
    ...(value && { email: { type: 'email', value } as Point }),
  }
}
