import { later } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type ActionStep, spanMs, findAutomation, findVersion } from '../../automations/public.ts'
import { createTask } from '../../calendar/public.ts'
import { type Contact, changeContact, pauseAi } from '../../contacts/public.ts'
import { findPipelineOfStage, updateDeal } from '../../deals/public.ts'
import { findNewestLead, rerouteLead } from '../../leads/public.ts'
import { queueMail } from '../../mail/public.ts'
import { addNote } from '../../timeline/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { recordEntry } from '../engine/enter.ts'
import { findObstacles } from '../entries/find-obstacles.ts'
import { findDealOf, idIn } from '../facts/load-facts.ts'
import { appendToInbox } from '../inbox/append.ts'
import { withdrawEntry } from '../inbox/queries.ts'
import { findActive } from '../queries.ts'
import { type AskedStep, type JudgeScene, type MoveScene, type StepResult, result } from './scene.ts'

/** Takes an action step through the use case of the module that owns the record. */
export async function act(
  { ctx, tx, now }: MoveScene,
  { step, facts, enrollment, automation, chain }: AskedStep<ActionStep>,
): Promise<StepResult> {
  const { contact } = facts
  const change = async (patch: Parameters<typeof changeContact>[2]): Promise<StepResult> => ({
    ...result('done'),
    contact: await changeContact(tx, contact, patch),
  })
  switch (step.type) {
    case 'tag':
      return change({ tags: [...contact.tags, step.tag] })
    case 'untag':
      return change({ tags: contact.tags.filter((tag) => tag !== step.tag) })
    case 'stage':
      return change({ stage: step.stage as Contact['stage'] })
    case 'owner': {
      const member = await findMember(tx, step.member_id)
      if (member?.active !== true) return result('failed', 'member_inactive')
      return change({ owner_id: step.member_id })
    }
    case 'note': {
      const note = await addNote(ctx, contact.id, step.body)
      return result('done', null, { event_id: note.id })
    }
    case 'pause_ai':
      await pauseAi(tx, contact.id, 'automation')
      return result('done')
    case 'notify_member': {
      const memberId = step.member_id ?? contact.owner_id
      if (memberId === null) return result('skipped', 'no_owner')
      const member = await findMember(tx, memberId)
      if (member?.active !== true) return result('skipped', 'member_inactive')
      // The mail names the contact only by ID, because an erasure cannot reach a mail that has been sent.
      const text = `${step.message}\n\nContact: ${contact.id}`
      queueMail(tx, tx, { to: member.email, subject: automation.name.replaceAll(/\s+/g, ' '), text })
      return result('done')
    }
    case 'task': {
      const { title, description, task_type, priority, due_in, assignee_id } = step
      const { task } = await createTask(ctx, {
        title,
        contact_id: contact.id,
        ...(description === undefined ? {} : { description }),
        ...(task_type === undefined ? {} : { type: task_type as 'call' }),
        ...(priority === undefined ? {} : { priority: priority as 'low' }),
        ...(due_in === undefined ? {} : { due_at: later(now, spanMs(due_in)).toISOString() }),
        ...(assignee_id === undefined ? {} : { assignee_id }),
      })
      return result('done', null, { task_id: task.id })
    }
    case 'enroll': {
      const obstacle = await obstacleTo({ tx, now }, step.automation_id, { facts, chain })
      if (obstacle !== undefined) {
        const { version, reason, enrollmentId: enrollment_id = null } = obstacle
        const entry = {
          automation_id: step.automation_id,
          contact_id: contact.id,
          outcome: reason,
          enrollment_id,
        }
        if (version !== null)
          recordEntry({ tx, now }, { ...entry, version, event: null, event_id: null, triggers: [] })
        return result('skipped', reason, enrollment_id === null ? {} : { enrollment_id })
      }
      // In a transaction of its own, which locks that automation before any enrollment. It checks again.
      appendToInbox(tx, { contact_id: contact.id, automation_id: step.automation_id, chain })
      return result('done')
    }
    case 'stop': {
      const other = await findActive(tx, step.automation_id, contact.id)
      if (other === undefined) {
        const wasAboutToEnter = await withdrawEntry(tx, contact.id, step.automation_id)
        return wasAboutToEnter ? result('done') : result('skipped', 'not_enrolled')
      }
      if (other.id === enrollment.id) return result('skipped', 'not_enrolled')
      await endEnrollment(tx, other, 'exited', 'stopped')
      return result('done', null, { enrollment_id: other.id })
    }
    case 'route': {
      const id = await findLeadToRoute(tx, facts)
      if (id === undefined) return result('skipped', 'no_lead')
      const { lead, decision } = await rerouteLead(ctx, id)
      const { assignee_id } = lead
      return result('done', decision.outcome, {
        lead_id: id,
        ...(assignee_id === null ? {} : { member_id: assignee_id }),
      })
    }
    case 'move_deal': {
      const { stage_id, status } = step
      const deal = await findDealToMove({ ctx, tx, now }, { step, facts })
      if (typeof deal === 'string') return result('skipped', deal)
      const wanted = {
        ...(stage_id === undefined ? {} : { stage_id }),
        ...(status === undefined ? {} : { status }),
      }
      const moved = await updateDeal(ctx, deal.id, wanted)
      return result('done', null, { deal_id: deal.id, stage_id: moved.stage_id })
    }
  }
}

type Facts = AskedStep<ActionStep>['facts']

/** What keeps a contact from entering an automation in which a step enrolls them. */
export async function obstacleTo(
  { tx, now }: Pick<JudgeScene, 'tx' | 'now'>,
  automationId: string,
  { facts: { contact }, chain }: { facts: Facts; chain: readonly string[] },
) {
  const automation = await findAutomation(tx, automationId)
  const version = automation?.version ?? null
  if (automation === undefined || version === null) return { version, reason: 'disabled' as const }
  const { definition } = orNotFound(await findVersion(tx, automationId, version))
  const { value } = await findObstacles(tx, { automation, definition, contact, chain }, now).next()
  return value && { version, ...value }
}

export const findLeadToRoute = async (db: Db, facts: Facts): Promise<string | undefined> =>
  idIn(facts, 'lead') ?? (await findNewestLead(db, facts.contact.id))?.id

/** The deal that a step moves, or the reason to skip the step. */
export async function findDealToMove(
  { ctx, tx, now }: Pick<JudgeScene, 'ctx' | 'tx' | 'now'>,
  { step: { stage_id }, facts }: { step: { stage_id?: string }; facts: Facts },
) {
  const deal = await findDealOf({ db: tx, keys: ctx.keys }, facts, now)
  if (deal === undefined) return 'no_deal'
  const pipeline = stage_id === undefined ? undefined : await findPipelineOfStage(tx, stage_id)
  return pipeline === undefined || pipeline.id === deal.pipeline_id ? deal : 'other_pipeline'
}
