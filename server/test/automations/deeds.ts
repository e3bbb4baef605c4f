import type { Ctx, Runtime } from '#kernel/context.ts'
import { publishAutomation, updateAutomation } from '../../src/modules/automations/save-automation.ts'
import { disableAutomation, enableAutomation } from '../../src/modules/backfills/changes/enable-automation.ts'
import { migrateAutomation } from '../../src/modules/backfills/changes/start-change.ts'
import { bookAppointment, updateAppointment } from '../../src/modules/calendar/public.ts'
import { eraseContact } from '../../src/modules/contacts/erase-contact.ts'
import { updateContact } from '../../src/modules/contacts/public.ts'
import { deleteDeal } from '../../src/modules/deals/delete-deal.ts'
import { createDeal, updateDeal } from '../../src/modules/deals/public.ts'
import { changeEnrollment } from '../../src/modules/enrollments/change-enrollment.ts'
import { enrollContact } from '../../src/modules/enrollments/enroll.ts'
import { respondToStep } from '../../src/modules/enrollments/steps/outside/step-at-hand.ts'
import { cancelMessage } from '../../src/modules/messages/cancel-message.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import type { SendOutcome } from '../../src/modules/messages/ports.ts'
import { receiveMessage } from '../../src/modules/messages/public.ts'
import type { Random } from '../../src/seed/random.ts'
import { stageNames, tagNames } from './definitions.ts'
import type { Commit } from './ledger.ts'
import type { Snapshot } from './snapshot.ts'
import type { Place } from './world.ts'

/** A randomly drawn action by a person. */
export interface Deed {
  name: string
  exit?: Commit['exit']
  optedOut?: string
  response?: Commit['response']
  run: (ctx: Ctx) => Promise<unknown>
}

export type DeedKind =
  | 'enroll'
  | 'reply'
  | 'stop'
  | 'book'
  | 'stage'
  | 'tag'
  | 'owner'
  | 'erase'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'disable'
  | 'enable'
  | 'publish'
  | 'deal'
  | 'move'
  | 'respond'
  | 'migrate'
  | 'withdraw'

export interface DeedScene {
  random: Random
  place: Place
  automationIds: readonly string[]
  /** The workspace as of the last commit. */
  seen: Snapshot
  /** Draws the next definition of an automation, which the deed then publishes as its next version. */
  redefine: (automationId: string) => object
}

let texts = 0
let responses = 0

/** The times of every appointment in the simulation, until it is moved. */
const showing = {
  title: 'Showing',
  type: 'showing',
  starts_at: '2026-03-03T09:00:00.000Z',
  ends_at: '2026-03-03T10:00:00.000Z',
} as const

export function drawDeed(
  kind: DeedKind,
  { random, place, automationIds, seen, redefine }: DeedScene,
): Deed | undefined {
  const person = random.pick(place.people)
  const automationId = random.pick(automationIds)
  const active = seen.enrollments.filter(({ status }) => ['queued', 'running', 'paused'].includes(status))
  const enrollment = active.length === 0 ? undefined : random.pick(active)
  const contactId = enrollment?.contact_id ?? person.id
  const of = place.people.find(({ id }) => id === contactId) ?? person
  const patch =
    (status: 'paused' | 'running' | 'cancelled'): Deed['run'] =>
    (ctx) =>
      changeEnrollment(ctx, enrollment?.id ?? '', status)
  const text = (body: string): Deed['run'] => {
    const sender = place.senders.find(({ channel }) => channel === 'SMS')
    const providerMessageId = `SM${String(texts++).padStart(32, '0')}`
    return (ctx) =>
      receiveMessage(ctx, { id: sender?.connectionId ?? '' } as Parameters<typeof receiveMessage>[1], {
        providerMessageId,
        channel: 'sms',
        from: of.phone,
        to: sender?.address ?? '',
        subject: null,
        body,
        bodyHtml: null,
        name: null,
        receivedAt: null,
        providerResponds: false,
      })
  }
  switch (kind) {
    case 'enroll':
      return {
        name: 'enroll',
        run: (ctx) => enrollContact(ctx, automationId, { contact_id: person.id, context: { from: 'test' } }),
      }
    case 'reply':
      return {
        name: 'reply',
        exit: { whens: ['replied'], contactId: of.id },
        run: text('Yes, I would like to know more'),
      }
    case 'stop':
      return {
        name: 'stop',
        exit: { whens: ['opted_out', 'replied'], contactId: of.id },
        optedOut: of.id,
        run: text('STOP'),
      }
    case 'book':
      return {
        name: 'book',
        exit: { whens: ['booked'], contactId },
        run: (ctx) =>
          bookAppointment(ctx, { ...showing, contact_id: contactId } as Parameters<
            typeof bookAppointment
          >[1]),
      }
    case 'stage': {
      const stage = random.chance(0.1) ? 'TRASH' : random.pick(stageNames)
      return { name: `stage ${stage}`, run: (ctx) => updateContact(ctx, contactId, { stage }) }
    }
    case 'tag': {
      const tags = random.sample(tagNames, random.integer(0, 3))
      return { name: `tags ${tags.join()}`, run: (ctx) => updateContact(ctx, contactId, { tags }) }
    }
    case 'owner': {
      const owner = seen.contacts.find(({ id }) => id === contactId)?.owner_id
      const owner_id = place.members.find((id) => id !== owner) ?? ''
      return {
        name: 'owner',
        exit: { whens: ['owner_changed'], contactId },
        run: (ctx) => updateContact(ctx, contactId, { owner_id }),
      }
    }
    case 'erase':
      return { name: 'erase', run: (ctx) => eraseContact(ctx, contactId) }
    case 'pause':
      return enrollment && { name: 'pause', run: patch('paused') }
    case 'resume':
      return enrollment && { name: 'resume', run: patch('running') }
    case 'cancel':
      return enrollment && { name: 'cancel', run: patch('cancelled') }
    case 'disable': {
      const what = random.pick(['pause', 'finish', 'cancel'] as const)
      return { name: `disable ${what}`, run: (ctx) => disableAutomation(ctx, automationId, what) }
    }
    case 'enable':
      return { name: 'enable', run: (ctx) => enableAutomation(ctx, automationId) }
    case 'deal': {
      const deal = seen.deals.find((one) => one.deleted_at === null && one.contact_ids.includes(contactId))
      if (deal === undefined)
        return {
          name: 'deal',
          run: (ctx) => createDeal(ctx, { name: 'A deal', contact_id: contactId } as never),
        }
      const { id } = deal
      if (random.chance(0.15)) return { name: 'delete deal', run: (ctx) => deleteDeal(ctx, id) }
      const status = deal.status === 'won' ? 'open' : 'won'
      return {
        name: `deal ${status}`,
        exit: {
          whens: ['deal_won'],
          contactId,
          happened: ({ name, data }) => name === 'deal.stage_changed' && data['status'] === 'won',
        },
        run: (ctx) => updateDeal(ctx, id, { status } as never),
      }
    }
    case 'move': {
      const appointment = seen.appointments.find(
        (one) => one.contact_id === contactId && one.status === 'scheduled',
      )
      if (appointment !== undefined && random.chance(0.15))
        return {
          name: 'cancel appointment',
          run: (ctx) => updateAppointment(ctx, appointment.id, { status: 'cancelled' } as never),
        }
      const hours = random.pick([-6, -3, -1, 1, 3, 12, 26])
      const moved = (at: string) => new Date(Date.parse(at) + hours * 3_600_000).toISOString()
      const times = { starts_at: moved(showing.starts_at), ends_at: moved(showing.ends_at) }
      return (
        appointment && { name: 'move', run: (ctx) => updateAppointment(ctx, appointment.id, times as never) }
      )
    }
    case 'respond': {
      const waiting = active.filter((one) => one.waiting_for?.kind === 'response')
      for (const { id, seq } of waiting) place.asked.add(`${id}:${seq}`)
      // May also respond to a step that its enrollment has already left.
      const now = waiting.map(({ id, seq }) => `${id}:${seq}`)
      const earlier = [...place.asked].filter((one) => waiting.some(({ id }) => one.startsWith(id)))
      const from = random.weighted([
        [now, 6],
        [earlier, 3],
        [[...place.asked], 1],
      ])
      if (from.length === 0) return undefined
      const step = random.pick(from)
      const [enrollment_id = '', seq] = step.split(':')
      const asked = seen.enrollments.find((one) => one.id === enrollment_id)
      const reason = `response ${++responses}`
      const at = { enrollment_id, seq: Number(seq) }
      // What fails may be reported as done by the next attempt, and then as failed again. The first report counts.
      const [outcome = 'done', ...later] = random.sample(
        ['done', 'failed', 'done'] as const,
        random.integer(1, 3),
      )
      return {
        name: `${reason} of ${seq}`,
        response: { step, reason, outcome },
        async run(ctx) {
          for (const one of [outcome, ...later])
            await respondToStep(ctx, at, asked?.contact_id ?? '', { outcome: one, reason, refs: {} })
        },
      }
    }
    case 'withdraw': {
      const waiting = seen.messages.filter(({ status }) => status === 'queued' || status === 'scheduled')
      const message = waiting.length === 0 ? undefined : random.pick(waiting)
      return message && { name: 'withdraw', run: (ctx) => cancelMessage(ctx, message.id) }
    }
    case 'migrate':
    case 'publish': {
      // People migrate whom they find in an automation.
      const id = (kind === 'migrate' && enrollment?.automation_id) || automationId
      return {
        name: 'publish',
        async run(ctx) {
          await updateAutomation(ctx, id, { definition: redefine(id) } as never)
          const { version } = await publishAutomation(ctx, id)
          if (kind === 'migrate') await migrateAutomation(ctx, id, version ?? 1)
        },
      }
    }
  }
}

/** Sends messages to a carrier whose responses are random, and possibly ambiguous. */
export async function sendSome(runtime: Runtime, place: Place, random: Random): Promise<number> {
  let sent = 0
  for (const { id: senderId } of place.senders) {
    const begun = await beginSends(runtime, { workspaceId: place.id, senderId }, 10)
    for (const { attemptId, message } of begun) {
      const failure = { code: 'rejected' as const, carrierCode: null, message: 'no' }
      const outcome = random.weighted<SendOutcome>([
        [{ kind: 'taken', providerMessageId: attemptId }, 7],
        [{ kind: 'rejected', failure }, 1],
        [{ kind: 'later', failure: { ...failure, code: 'provider_unavailable' }, retryAfterMs: null }, 1],
        [{ kind: 'unknown', message: 'no response' }, 1],
      ])
      await settleSends(runtime, place.id, [{ messageId: message.id, attemptId, outcome }])
      sent++
    }
  }
  return sent
}
