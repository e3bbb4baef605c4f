import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { unlistedName } from '#kernel/http/validation.ts'
import {
  type Automation,
  type EnrollmentFacts,
  type Definition,
  findAutomationOfOwn,
  findVersion,
  isVerified,
  requireDefinition,
} from '../../automations/public.ts'
import { type Contact, findContact } from '../../contacts/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { type StepReply, advance, beginning } from '../advance.ts'
import { requireContext } from '../enroll.ts'
import { type StepRecord, type WaitingFor, enrollmentRecord } from '../enrollment.ts'
import { exitReason } from '../facts/exits.ts'
import { type JudgeScene, result } from '../steps/scene.ts'
import type { DryRun, DryRunRequest, DryStep } from './dry-run.ts'
import { type TriedStep, assumedEvent, changesBy, messageSent, ownerChanged, tryStep } from './try-step.ts'

const maxEntries = 1000
const dayMs = 86_400_000
const maxMs = 5 * 366 * dayMs
/** A client's clock may be behind. */
const toleranceMs = 5 * 60_000

/**
 * Simulates what an automation would do with a contact from a given time on, step by step. Drives the same core as the engine, and asks the
 * same gates as of each time. Writes nothing. Changes that steps would make to the contact apply to the steps after them.
 */
export async function runDry(ctx: Ctx, automationId: string, request: DryRunRequest): Promise<DryRun> {
  const { contact_id, assume = [], at } = request
  const automation = orNotFound(await findAutomationOfOwn(ctx.db, automationId))
  const contact = await findContact(ctx.db, contact_id)
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  const { version, definition } = await definitionOf(ctx, automation, request)
  const present = ctx.clock.now()
  const start = at === undefined ? present : new Date(at)
  requireTimes(ctx, start, assume)
  const { name, timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  // Judges with unlimited reach, like the engine.
  const whole = { ...ctx.unrestricted(), masked: false }
  const events = assume
    .map((one) => assumedEvent(contact.id, { ...one, at: new Date(one.at), data: one.data ?? {} }))
    .filter(isVerified)
    .toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
  const sceneAt = (now: Date): JudgeScene => ({
    ctx: { ...whole, clock: { ...ctx.clock, now: () => now } },
    tx: whole.db,
    timezone,
    workspaceName: name,
    now,
  })
  const given = givenIn(ctx, request)
  const shown = await driveThrough({ automation, definition, contact, given, sceneAt, start, events })
  return { automation_id: automationId, version, contact_id, ...shown }
}

async function definitionOf(
  ctx: Ctx,
  automation: Automation,
  { version = automation.version, definition }: { version?: number | null; definition?: unknown },
): Promise<{ version: number | null; definition: Definition }> {
  if (definition !== undefined) return { version: null, definition: await requireDefinition(ctx, definition) }
  if (version === null) return { version, definition: automation.definition }
  const published = await findVersion(ctx.db, automation.id, version)
  if (published === undefined)
    throw ValidationFailed([{ path: 'version', message: 'is not a version of this automation' }])
  return published
}

/** What the request provides: the event that starts the automation, and the context of an enrollment request. */
function givenIn(
  { eventTypes }: Ctx,
  { trigger, context = {} }: Pick<DryRunRequest, 'trigger' | 'context'>,
): Course['given'] {
  requireContext(context)
  if (trigger === undefined) return { trigger: {}, subject: null, context }
  const { event, data = {} } = trigger
  const type = eventTypes.get(event)
  if (type === undefined) {
    const message = unlistedName(event, [...eventTypes.keys()], 'event')
    throw ValidationFailed([{ path: 'trigger.event', message }])
  }
  const { id } = data
  return { trigger: data, subject: typeof id === 'string' ? { type: type.subject, id } : null, context }
}

function requireTimes(ctx: Ctx, start: Date, assume: NonNullable<DryRunRequest['assume']>): void {
  const now = ctx.clock.now().getTime()
  const issues = []
  if (start.getTime() < now - toleranceMs) issues.push({ path: 'at', message: 'must not be in the past' })
  if (start.getTime() > now + maxMs) issues.push({ path: 'at', message: 'must be within 5 years' })
  for (const [i, { at, event }] of assume.entries()) {
    if (Date.parse(at) < start.getTime())
      issues.push({ path: `assume.${i}.at`, message: 'must not be before the dry run begins' })
    if (!ctx.eventTypes.has(event))
      issues.push({
        path: `assume.${i}.event`,
        message: unlistedName(event, [...ctx.eventTypes.keys()], 'event'),
      })
  }
  if (issues.length > 0) throw ValidationFailed(issues)
}

interface Course {
  automation: Automation
  definition: Definition
  contact: Contact
  /** The event that started it, and the context. */
  given: Pick<EnrollmentFacts, 'trigger' | 'subject' | 'context'>
  sceneAt(now: Date): JudgeScene
  start: Date
  /** The assumed events, in order. */
  events: JournalRow[]
}

/** Drives the core through time: from step to step, and through each wait to its end or to the next assumed event, whichever is first. */
async function driveThrough({ automation, definition, contact, given, sceneAt, start, events }: Course) {
  const steps: DryStep[] = []
  const history: StepRecord[] = []
  /** A copy for the steps to change. */
  const person = { ...contact }
  const exchange: NonNullable<EnrollmentFacts['exchange']> = { inbound: null, outbound: null }
  const facts: EnrollmentFacts = { contact: person, ...given, exchange }
  let now = start
  let state = beginning(definition)
  let reply: StepReply | undefined
  let waiting: WaitingFor | null = null
  /** When the next step was due. That may be before `now`, after a wait for a time in the past. */
  let due = start.toISOString()
  /** When the texts left that count toward the daily limits of the gates. */
  const texts: number[] = []
  /** Directly after a message: the event that it was sent. */
  let left: JournalRow[] = []
  /** `news`: the events to consider now. `own`: the events that its own steps have caused since. */
  let news: JournalRow[] = []
  let own: JournalRow[] = []
  const ended = (status: DryRun['status'], reason: string | null) => ({
    steps,
    status,
    reason,
    ended_at: now.toISOString(),
  })
  const record = (step_key: string, type: DryStep['type'], taken: TriedStep) => {
    const { outcome, reason } = taken.fact ?? { outcome: 'done', reason: null }
    const known = { step_key, type, at: now.toISOString(), outcome, reason }
    history.push({ ...known, seq: history.length, planned_at: due, refs: {} })
    steps.push({ ...known, verdict: taken.verdict ?? null, message: taken.message ?? null })
  }
  const already = await exitReason(sceneAt(now), definition, facts, [])
  if (already !== undefined) return ended('exited', already)
  for (;;) {
    const turn = advance(definition, state, reply, now.getTime())
    if (turn.ended !== undefined) record(turn.ended, 'wait', result('done'))
    if (turn.state.at !== state.at) waiting = null
    state = turn.state
    const { move } = turn
    if (move.kind === 'end') return ended(move.reason === null ? 'completed' : 'exited', move.reason)
    if (steps.length >= maxEntries) return ended('unfinished', 'too_many_entries')
    if (move.kind === 'ask') {
      const recently = now.getTime() - dayMs
      const scene = { ...sceneAt(now), assumedTexts: texts.filter((at) => at > recently).length }
      const exit = await exitReason(scene, definition, facts, news)
      if (exit !== undefined) return ended('exited', exit)
      const { step } = move
      const enrollment = {
        ...enrollmentRecord.create({}, start),
        automation_id: automation.id,
        contact_id: contact.id,
        waiting_for: waiting,
        due_at: due,
      }
      const taken = await tryStep(scene, {
        step,
        enrollment,
        automation,
        definition,
        facts,
        chain: [automation.id],
        history: async () => history,
        // A wait that begins now counts only the message that left directly before it.
        news: waiting === null ? left : news,
      })
      reply = taken.reply
      waiting = taken.waiting ?? null
      if (taken.fact !== null) record(step.key, step.type, taken)
      if (taken.due !== undefined) due = taken.due
      if (taken.reply.kind !== 'retry') left = []
      if (taken.leaves !== undefined) {
        if (taken.leaves === 'text') texts.push(now.getTime())
        left = [messageSent(contact.id, now)]
        exchange.outbound = now.toISOString()
        due = now.toISOString()
      }
      if ((taken.contact?.owner_id ?? person.owner_id) !== person.owner_id)
        own.push(ownerChanged(contact.id, now))
      Object.assign(person, taken.contact)
      continue
    }
    const next = own.length > 0 ? now.getTime() : Date.parse(events[0]?.occurred_at ?? '') || Infinity
    const at = Math.min(move.until, Math.max(next, now.getTime()))
    if (at - start.getTime() > maxMs) return ended('unfinished', 'too_long')
    now = new Date(at)
    due = now.toISOString()
    reply = undefined
    news = own
    own = []
    if (news.length === 0 && next <= move.until) news = events.splice(0, 1)
    if (news.some(({ name }) => name === 'message.received')) exchange.inbound = now.toISOString()
    for (const event of news) Object.assign(person, changesBy(event, person))
    const exit = await exitReason(sceneAt(now), definition, facts, news)
    if (exit !== undefined) return ended('exited', exit)
    // A `wait` ends by itself. Any other step that waits is asked again.
    if (waiting !== null && (at >= move.until || news.length > 0)) state = { ...state, until: null }
  }
}
