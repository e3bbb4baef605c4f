import { createHash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import { type CallPatch, type Disposition, type TranscriptTurn, addCall } from '../../modules/calls/public.ts'
import { findContact } from '../../modules/contacts/public.ts'
import { findDefaultSender, voiceConnectionFor } from '../../modules/senders/public.ts'
import { dayMs } from '../diary.ts'
import type { Random } from '../random.ts'
import type { Scene, Thread } from '../scene.ts'
import { type CallOutcome, dialogues, outcomes } from './dialogues.ts'

const days = 12
const perDay = 2
const hourMs = 3_600_000

/** Schedules calls of the last days: agents call recent contacts during the day, and contacts call at any hour. */
export function playCalls(scene: Scene, random: Random, end: Date): void {
  const nextOutcome = random.deck(outcomes.map((one) => [one, 1] as const))
  for (let day = days; day > 0; day--) {
    for (let n = 0; n < perDay; n++) {
      const outcome = nextOutcome()
      // Agents call during working hours; the AI takes calls at any hour.
      const ms =
        outcome.handledBy === 'ai' ? random.integer(0, 23 * hourMs) : random.integer(15 * hourMs, 23 * hourMs)
      scene.agenda.add(new Date(end.getTime() - day * dayMs + ms), () => call(scene, random, outcome))
    }
  }
}

async function call(scene: Scene, random: Random, outcome: CallOutcome): Promise<void> {
  const known = scene.threads.slice(-250).filter(({ agent }) => agent !== undefined)
  const thread: Thread | undefined = known[random.integer(0, Math.max(known.length - 1, 0))]
  const [seconds, ring] = [random.integer(...outcome.seconds), random.integer(4, 22)]
  if (thread?.agent === undefined) return
  const ctx = scene.as(thread.agent.actor)
  const { phone = null, first_name = null } = (await findContact(ctx.db, thread.contactId)) ?? {}
  const sender = await findDefaultSender(ctx.db, 'SMS')
  if (phone === null || sender === undefined) return
  const isAi = outcome.handledBy === 'ai'
  const isInbound = outcome.direction === 'INBOUND'
  const start = scene.now()
  const taken = seconds === 0 ? null : later(start, ring * 1000)
  const end = later(start, (ring + seconds) * 1000)
  const names = { name: first_name ?? 'there', agent: thread.agent.actor.name }
  const key = `${thread.contactId}${start.getTime()}`
  const callId = `call_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
  const said: CallPatch = {
    contact_id: thread.contactId,
    sender_id: sender.id,
    direction: outcome.direction,
    handled_by: outcome.handledBy,
    member_id: isAi ? null : thread.agent.actor.id,
    from: isInbound ? phone : sender.address,
    to: isInbound ? sender.address : phone,
    status: outcome.status,
    disposition: outcome.disposition,
    started_at: start.toISOString(),
    answered_at: taken?.toISOString() ?? null,
    ended_at: end.toISOString(),
    duration_seconds: seconds,
    ai_disclosed: isAi && seconds > 0 ? true : null,
    summary: isAi && outcome.summary !== undefined ? filled(outcome.summary, names) : null,
    summary_source: isAi && outcome.summary !== undefined ? 'provider' : null,
    sentiment: isAi && seconds > 0 ? outcome.sentiment : null,
    actor: isInbound ? null : thread.agent.actor,
    transcript: isAi ? transcriptOf(outcome.disposition, seconds, names) : [],
    provider_call_id: callId,
  }
  const asIntake = scene.as(intake)
  scene.agenda.add(end, () =>
    asIntake.transaction(async (tx) => {
      const isRecorded = isAi && seconds > 0
      const completed_at = tx.clock.now().toISOString()
      const recorded = {
        connection_id: (await voiceConnectionFor(tx, asIntake, undefined)).id,
        recorded: true,
        recording_source: `/retell/recordings/${callId}.wav`,
      }
      // The recording is copied from the simulated carrier once the server runs.
      await addCall(
        tx,
        { ...said, completed_at, ...(isRecorded && recorded) },
        { lookAt: isRecorded ? end : null },
      )
    }),
  )
}

const intake = { type: 'system', id: null, name: 'calls' }

const filled = (text: string, { name, agent }: { name: string; agent: string }) =>
  text.replaceAll('{name}', name).replaceAll('{agent}', agent)

/** The turns of a dialogue, spread evenly over the conversation. */
function transcriptOf(
  disposition: Disposition,
  seconds: number,
  names: { name: string; agent: string },
): TranscriptTurn[] {
  const lines = dialogues[disposition] ?? []
  const each = Math.floor((seconds * 1000) / Math.max(lines.length, 1))
  return lines.map((line, n) => ({
    speaker: n % 2 === 0 ? 'ai' : 'contact',
    start_ms: n * each,
    end_ms: (n + 1) * each - 300,
    text: filled(line, names),
  }))
}
