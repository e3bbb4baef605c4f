import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, found } from '#kernel/errors.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { unknownName } from '#kernel/http/validation.ts'
import { type Contact, findContact } from '../../contacts/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import type { Automation } from '../automation.ts'
import { type StepReply, advance, beginning } from '../definition/advance.ts'
import type { EnrollmentFacts } from '../definition/condition-fields.ts'
import type { Definition } from '../definition/definition.ts'
import { exitReason } from '../engine/exits.ts'
import { type JudgeScene, result } from '../engine/scene.ts'
import { type WaitingFor, enrollmentRecord } from '../enrollment.ts'
import { findAutomationOfOwn, findVersion } from '../queries.ts'
import { requireDefinition } from '../save-automation.ts'
import type { DryRun, DryRunRequest, DryStep } from './dry-run.ts'
import { type TriedStep, assumedEvent, ownerChanged, tryStep } from './try-step.ts'

const maxEntries = 1000
const maxMs = 5 * 366 * 86_400_000
/** A client's clock may be behind. */
const toleranceMs = 5 * 60_000

/**
 * Says what an automation would do with a contact, step by step, from a moment on: a driver of the same core as the engine's, which
 * asks the same gates as of each moment. It writes nothing. What steps would change of the contact counts for those after them.
 */
export async function runDry(ctx: Ctx, automationId: string, request: DryRunRequest): Promise<DryRun> {
  const { contact_id, assume = [], at } = request
  const automation = found(await findAutomationOfOwn(ctx.db, automationId))
  const contact = await findContact(ctx.db, contact_id)
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  const { version, definition } = await definitionOf(ctx, automation, request)
  const present = ctx.clock.now()
  const start = at === undefined ? present : new Date(at)
  requireTimes(ctx, start, assume)
  const { name, timezone } = found(await findWorkspace(ctx.directory, ctx.workspaceId))
  // As the engine judges, whose reach is everything.
  const whole = { ...ctx.unrestricted(), masked: false }
  const events = assume
    .map((one) => assumedEvent(contact.id, { ...one, at: new Date(one.at), data: one.data ?? {} }))
    .toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))
  const sceneAt = (now: Date): JudgeScene => ({
    ctx: { ...whole, clock: { ...ctx.clock, now: () => now } },
    tx: whole.db,
    timezone,
    workspaceName: name,
    now,
  })
  const shown = await driveThrough({ automation, definition, contact, sceneAt, start, events })
  const mayRead = ctx.scopes.has('contacts:read')
  const steps = shown.steps.map((step) => (mayRead ? step : { ...step, message: null }))
  return { automation_id: automationId, version, contact_id, ...shown, steps }
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
        message: unknownName(event, [...ctx.eventTypes.keys()], 'event'),
      })
  }
  if (issues.length > 0) throw ValidationFailed(issues)
}

interface Course {
  automation: Automation
  definition: Definition
  contact: Contact
  sceneAt(now: Date): JudgeScene
  start: Date
  /** What is assumed to happen, in order. */
  events: JournalRow[]
}

/** Drives the core through time: from step to step, and from wait to wait or to what is assumed to happen before its end. */
async function driveThrough({ automation, definition, contact, sceneAt, start, events }: Course) {
  const steps: DryStep[] = []
  /** A copy, which the steps change. */
  const person = { ...contact }
  const facts: EnrollmentFacts = { contact: person, trigger: {}, subject: null, context: {} }
  let now = start
  let state = beginning(definition)
  let reply: StepReply | undefined
  let waiting: WaitingFor | null = null
  /** What has happened when the enrollment is looked at, and what its own steps have made happen since. */
  let news: JournalRow[] = []
  let own: JournalRow[] = []
  const ended = (status: DryRun['status'], reason: string | null) => ({
    steps,
    status,
    reason,
    ended_at: now.toISOString(),
  })
  const record = (step_key: string, type: DryStep['type'], taken: TriedStep) =>
    steps.push({
      step_key,
      type,
      at: now.toISOString(),
      outcome: taken.fact?.outcome ?? 'done',
      reason: taken.fact?.reason ?? null,
      verdict: taken.verdict ?? null,
      message: taken.message ?? null,
    })
  for (;;) {
    const turn = advance(definition, state, reply, now.getTime())
    if (turn.ended !== undefined) record(turn.ended, 'wait', result('done'))
    if (turn.state.at !== state.at) waiting = null
    state = turn.state
    const { move } = turn
    if (move.kind === 'end') return ended(move.reason === null ? 'completed' : 'exited', move.reason)
    if (steps.length >= maxEntries) return ended('unfinished', 'too_many_entries')
    if (move.kind === 'ask') {
      const scene = sceneAt(now)
      const exit = await exitReason(scene, definition, facts, news)
      if (exit !== undefined) return ended('exited', exit)
      const { step } = move
      const enrollment = {
        ...enrollmentRecord.create({}, start),
        automation_id: automation.id,
        contact_id: contact.id,
        waiting_for: waiting,
      }
      const taken = await tryStep(scene, {
        step,
        enrollment,
        automation,
        definition,
        facts,
        chain: [],
        news,
      })
      reply = taken.reply
      waiting = taken.waiting ?? null
      if (taken.fact !== null) record(step.key, step.type, taken)
      if ((taken.contact?.owner_id ?? person.owner_id) !== person.owner_id)
        own.push(ownerChanged(contact.id, now))
      Object.assign(person, taken.contact)
      continue
    }
    const next = own.length > 0 ? now.getTime() : Date.parse(events[0]?.occurred_at ?? '') || Infinity
    const at = Math.min(move.until, Math.max(next, now.getTime()))
    if (at - start.getTime() > maxMs) return ended('unfinished', 'too_long')
    now = new Date(at)
    reply = undefined
    news = own
    own = []
    if (news.length === 0 && next <= move.until) news = events.splice(0, 1)
    const exit = await exitReason(sceneAt(now), definition, facts, news)
    if (exit !== undefined) return ended('exited', exit)
    // A span ends by itself. Any other step that waits is asked again.
    if (waiting !== null && (at >= move.until || news.length > 0)) state = { ...state, until: null }
  }
}
