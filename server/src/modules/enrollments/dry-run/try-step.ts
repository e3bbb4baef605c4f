import { later } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { spanMs } from '#kernel/steps/span.ts'
import { findWriter } from '../../ai/public.ts'
import {
  type ActionStep,
  type AiMessageStep,
  type AskableStep,
  type WaitForStep,
  actionOf,
  stepOf,
} from '../../automations/public.ts'
import { type Contact, stages } from '../../contacts/public.ts'
import { findPersona } from '../../personas/public.ts'
import { findActive } from '../queries.ts'
import { chooseBranch } from '../steps/branch.ts'
import { judgeSend, lateSend } from '../steps/judge-send.ts'
import { obstacleTo } from '../steps/other-automations.ts'
import { type MessageStep, blocked, isMarketing } from '../steps/plan-send.ts'
import {
  type AskedStep,
  type JudgeScene,
  type StepResult,
  questionOf,
  result,
  waitFor,
} from '../steps/scene.ts'
import { firstEvent } from '../steps/wait-for.ts'
import { waitUntil } from '../steps/wait-until.ts'
import type { DryStep } from './dry-run.ts'

/** The expected result of a step, its changes to the contact, and its message. */
export interface TriedStep extends Omit<StepResult, 'contact'> {
  contact?: Partial<Contact>
  verdict?: DryStep['verdict']
  message?: DryStep['message']
  /** What is assumed to be sent at once. A `text` counts toward the daily limits of the gates. */
  leaves?: 'text' | 'message'
}

/** Predicts the result of a step. Writes nothing. `asked.news`: the events that are assumed to have just happened. */
export async function tryStep(scene: JudgeScene, asked: AskedStep<AskableStep>): Promise<TriedStep> {
  const { step, facts, enrollment } = asked
  const { tx } = scene
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
    case 'enroll': {
      const { reason } = (await obstacleTo(scene, { ...asked, step })) ?? {}
      return reason === undefined ? result('done', 'assumed') : result('skipped', reason)
    }
    case 'stop': {
      if (await isEnrolledBefore(asked, step.automation_id)) return result('done')
      const other = await findActive(tx, step.automation_id, facts.contact.id)
      return other === undefined || other.automation_id === enrollment.automation_id
        ? result('skipped', 'not_enrolled')
        : result('done')
    }
    case 'webhook':
      return result('done', 'assumed')
    default:
      return rehearse(scene, { ...asked, step })
  }
}

async function rehearse(scene: JudgeScene, asked: AskedStep<ActionStep>): Promise<TriedStep> {
  const { step } = asked
  const { fact, changes } = await actionOf(step).rehearse(questionOf(scene, asked), step)
  return { reply: { kind: 'done' }, fact, ...(changes && { contact: changes }) }
}

/** Whether an earlier step of the dry run would have enrolled the contact in the automation, and none has stopped that since. */
async function isEnrolledBefore(
  { definition, history }: AskedStep<AskableStep>,
  automationId: string,
): Promise<boolean> {
  const taken = (await history()).flatMap(({ step_key, outcome }) => {
    const step = stepOf(definition, step_key)
    const isAbout = (step?.type === 'enroll' || step?.type === 'stop') && step.automation_id === automationId
    return isAbout && outcome === 'done' ? step.type : []
  })
  return taken.at(-1) === 'enroll'
}

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
  const { step, facts } = asked
  const late = lateSend(scene, asked)
  if (late !== undefined) return late
  const persona = step.type === 'ai_message' ? await writerOf(scene, step, facts.contact) : undefined
  if (typeof persona === 'string') return result('skipped', persona)
  const writer = persona && { persona, written: undefined }
  const { planned, result: decided } = await judgeSend(scene, asked, writer)
  const draft = 'draft' in planned ? planned.draft : undefined
  // A dry run does not ask the persona to write, so there is no text.
  const message = draft === undefined || step.type === 'ai_message' ? null : shown(draft)
  if (planned.kind === 'skipped') return orNotFound(decided)
  const verdict = planned.kind === 'planned' ? planned.plan.verdict : { allowed: false as const, ...planned }
  if (verdict.allowed)
    return {
      ...result('done', step.type === 'ai_message' ? 'assumed' : null),
      verdict: { allowed: true, reason: null, retry_at: null },
      message,
      ...(persona?.mode !== 'suggest' && {
        leaves: step.channel === 'sms' && isMarketing(step) ? 'text' : 'message',
      }),
    }
  const { reason } = verdict
  const retry_at = planned.kind === 'later' ? planned.at.toISOString() : null
  return { ...(decided ?? blocked(step, reason)), verdict: { allowed: false, reason, retry_at }, message }
}

const writerOf = (
  { tx, now }: JudgeScene,
  { persona_id, channel }: AiMessageStep,
  contact: Contact,
): ReturnType<typeof findWriter> =>
  findWriter(tx, contact, { persona_id, channel: channel === 'email' ? 'EMAIL' : 'SMS' }, now, findPersona)

/** The steps of an automation send only texts and emails. */
const shown = (draft: { channel: string; subject?: string; body?: string }) => ({
  channel: draft.channel === 'email' ? ('email' as const) : ('sms' as const),
  subject: draft.subject ?? null,
  body: draft.body ?? '',
})

/** The event that reports a change of the owner. */
export const ownerChanged = (contactId: string, at: Date): JournalRow =>
  assumedEvent(contactId, { event: 'contact.updated', at, data: { changes: [{ field: 'owner_id' }] } })

/** The event that reports that a message was sent. */
export const messageSent = (contactId: string, at: Date): JournalRow =>
  assumedEvent(contactId, { event: 'message.sent', at, data: {} })

/** An event of a contact that is assumed to have happened. */
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

/** What an assumed event changes in its contact. */
export function changesBy({ name, data }: JournalRow, { tags }: Contact): Partial<Contact> {
  const { tag, to } = data
  if (name === 'contact.tag_added' && typeof tag === 'string') return { tags: [...new Set([...tags, tag])] }
  const stage = name === 'contact.stage_changed' ? stages.find((one) => one === to) : undefined
  return stage === undefined ? {} : { stage }
}
