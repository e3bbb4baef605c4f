import { later } from '#kernel/clock.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import type { Contact } from '../../contacts/public.ts'
import { findMember } from '../../workspaces/public.ts'
import type { AskableStep, WaitForStep } from '../definition/definition.ts'
import { spanMs } from '../definition/definition.ts'
import { findDealToMove, findLeadToRoute } from '../engine/act.ts'
import { chooseBranch } from '../engine/perform-step.ts'
import { type MessageStep, blocked, ownPartOf, planSend } from '../engine/plan-send.ts'
import { type AskedStep, type JudgeScene, type StepResult, result, waitFor } from '../engine/scene.ts'
import { patienceMs } from '../engine/send.ts'
import { firstEvent } from '../engine/wait-for.ts'
import { waitUntil } from '../engine/wait-until.ts'
import { findActive } from '../enrollment-queries.ts'
import type { DryStep } from './dry-run.ts'

/** What a step would come to, what it would change of the contact, and what its message would say. */
export interface TriedStep extends StepResult {
  contact?: Partial<Contact>
  verdict?: DryStep['verdict']
  message?: DryStep['message']
}

/** Says what would become of a step. Reads, and changes nothing. `asked.news`: what is assumed to have just happened. */
export async function tryStep(scene: JudgeScene, asked: AskedStep<AskableStep>): Promise<TriedStep> {
  const { step, facts, enrollment } = asked
  const { tx } = scene
  const { tags } = facts.contact
  switch (step.type) {
    case 'branch':
      return chooseBranch(scene, { facts, step })
    case 'wait_until':
      return waitUntil(scene, { ...asked, step })
    case 'wait_for':
      return waitForAssumed(scene, { ...asked, step })
    case 'send':
    case 'appointment_reminder':
    case 'ai_message':
      return send(scene, { ...asked, step })
    case 'tag':
      return { ...result('done'), contact: { tags: [...new Set([...tags, step.tag])] } }
    case 'untag':
      return { ...result('done'), contact: { tags: tags.filter((tag) => tag !== step.tag) } }
    case 'stage':
      return { ...result('done'), contact: { stage: step.stage as Contact['stage'] } }
    case 'owner':
      return (await isActiveMember(scene, step.member_id))
        ? { ...result('done'), contact: { owner_id: step.member_id } }
        : result('failed', 'member_inactive')
    case 'pause_ai':
      return { ...result('done'), contact: { ai_auto_response: 'paused' } }
    case 'notify_member':
      return (await isActiveMember(scene, step.member_id ?? facts.contact.owner_id))
        ? result('done')
        : result('skipped', 'member_inactive')
    case 'stop': {
      const other = await findActive(tx, step.automation_id, facts.contact.id)
      return other === undefined || other.automation_id === enrollment.automation_id
        ? result('skipped', 'not_enrolled')
        : result('done')
    }
    case 'move_deal':
      return assumed(await findDealToMove(scene, { step, facts }))
    case 'route':
      return assumed((await findLeadToRoute(tx, facts)) === undefined ? 'no_lead' : {})
    case 'task':
    case 'note':
      return result('done')
    default:
      return result('done', 'assumed')
  }
}

/** What depends on others is assumed to succeed, unless it is known why not. */
const assumed = (found: object | string): StepResult =>
  typeof found === 'string' ? result('skipped', found) : result('done', 'assumed')

const isActiveMember = async ({ tx }: JudgeScene, id: string | null): Promise<boolean> =>
  id !== null && (await findMember(tx, id))?.active === true

async function waitForAssumed(scene: JudgeScene, asked: AskedStep<WaitForStep>): Promise<TriedStep> {
  const { step, enrollment, news } = asked
  const { now } = scene
  const chosen = await firstEvent(scene, asked, news)
  if (chosen !== undefined)
    return {
      ...result('done', chosen.event.name),
      reply: { kind: 'branch', steps: chosen.option.steps?.[0]?.key ?? null },
    }
  const until = enrollment.waiting_for?.until ?? later(now, spanMs(step.timeout)).toISOString()
  if (Date.parse(until) <= now.getTime())
    return {
      ...result('done', 'timeout'),
      reply: { kind: 'branch', steps: step.on_timeout?.[0]?.key ?? null },
    }
  return waitFor({ kind: 'event', until })
}

async function send(scene: JudgeScene, asked: AskedStep<MessageStep>): Promise<TriedStep> {
  const { step } = asked
  const { now } = scene
  const planned = await planSend(scene, asked, ownPartOf(asked))
  if (planned.kind === 'skipped') return result('skipped', planned.reason)
  const draft = 'draft' in planned ? planned.draft : undefined
  // A persona writes only when it is asked.
  const message = draft === undefined || step.type === 'ai_message' ? null : shown(draft)
  if (planned.kind === 'later') {
    const { reason, at } = planned
    const { waiting_for: waiting } = asked.enrollment
    const since = waiting?.since ?? now.toISOString()
    const verdict = { allowed: false, reason, retry_at: at.toISOString() }
    if (at.getTime() - Date.parse(since) > patienceMs)
      return { ...blocked(step, 'too_late'), verdict, message }
    const fact = { outcome: 'deferred' as const, reason, refs: {} }
    return { ...waitFor({ kind: 'hours', until: at.toISOString(), since }, fact), verdict, message }
  }
  const verdict =
    planned.kind === 'blocked' ? { allowed: false as const, reason: planned.reason } : planned.plan.verdict
  if (verdict.allowed)
    return {
      ...result('done', step.type === 'ai_message' ? 'assumed' : null),
      verdict: { allowed: true, reason: null, retry_at: null },
      message,
    }
  const { reason } = verdict
  return { ...blocked(step, reason), verdict: { allowed: false, reason, retry_at: null }, message }
}

/** A step of an automation sends a text or an email. */
const shown = (draft: { channel: string; subject?: string; body?: string }) => ({
  channel: draft.channel === 'email' ? ('email' as const) : ('sms' as const),
  subject: draft.subject ?? null,
  body: draft.body ?? '',
})

/** The event by which a change of the owner would be known. */
export const ownerChanged = (contactId: string, at: Date): JournalRow =>
  assumedEvent(contactId, { event: 'contact.updated', at, data: { changes: [{ field: 'owner_id' }] } })

/** An event of a contact that is taken to have happened. */
export const assumedEvent = (
  contactId: string,
  { event, at, data }: { event: string; at: Date; data: Record<string, unknown> },
): JournalRow => ({
  id: '',
  name: event,
  subject_type: 'contact',
  subject_id: contactId,
  timeline_id: contactId,
  actor: { type: 'system', id: null, name: 'dry run' },
  data,
  occurred_at: at.toISOString(),
  hidden_from: null,
})
