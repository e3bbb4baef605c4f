import type { Ctx } from '#kernel/context.ts'
import { planByIndex } from '#kernel/db/plans.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type JournalRow, listEvents } from '#kernel/events/journal.ts'
import { listensTo, findAutomation, findVersion, listTriggers } from '../../automations/public.ts'
import { type Contact, findContact, lockPersons } from '../../contacts/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { endEnrollment, stopWithOthers } from '../change-enrollment.ts'
import { type Enrollment, isActive } from '../enrollment.ts'
import { exitReason } from '../facts/exits.ts'
import { factsOfEvent } from '../facts/load-facts.ts'
import { type Listening, actingFor } from '../inbox/append.ts'
import { type InboxRow, deleteFromInbox, inboxLimit, listInbox, listStarts } from '../inbox/queries.ts'
import { findEnrollment, lockActiveOf, saveEnrollment } from '../queries.ts'
import { lockRunsOfForShare } from '../run-queries.ts'
import type { MoveScene } from '../steps/scene.ts'
import { enterAutomations } from './enter.ts'
import { isAwaitedIn } from './is-awaited-in.ts'
import { type Hold, isHeld } from './lane-queries.ts'
import { takeSteps } from './take-steps.ts'

/** Which enrollments take steps. */
export type Takes = 'all' | 'none' | { only: string }

/**
 * Moves contacts as far as they can go, in one transaction: first the inbox, so that no exit is overtaken, then what is due. Each effect
 * commits together with its record. An engine that has lost the lane changes nothing. With `none`, contacts only enter and exit.
 */
export async function moveContacts(
  base: Ctx,
  hold: Hold,
  contactIds: readonly string[],
  takes: Takes = 'all',
): Promise<void> {
  await base.transaction(async (tx) => {
    planByIndex(tx)
    // Lock order: runs before contacts, as when a backfill enrolls a contact.
    const [held, runs, workspace] = await Promise.all([
      isHeld(tx, hold),
      lockRunsOfForShare(tx, contactIds),
      findWorkspace(tx, tx.workspaceId),
    ])
    if (!held) return
    const { name, timezone } = orNotFound(workspace)
    await lockPersons(tx, { contactIds, points: [] })
    const takesStepsOf = (id: string) => takes === 'all' || (takes !== 'none' && takes.only === id)
    const versions = new Map<string, ReturnType<typeof findVersion>>()
    const versionOf: MoveScene['versionOf'] = (id, version) => {
      const known = versions.get(`${id} ${version}`) ?? findVersion(tx, id, version)
      versions.set(`${id} ${version}`, known)
      return known
    }
    const now = tx.clock.now()
    const judged = { ctx: base, tx, timezone, workspaceName: name, now }
    const scene: MoveScene = { ...judged, versionOf, takesStepsOf, runs }
    for (const contactId of contactIds) await moveContact(scene, contactId)
  })
}

async function moveContact(base: MoveScene, contactId: string): Promise<void> {
  const { tx } = base
  const [inbox, contact, triggers] = await Promise.all([
    listInbox(tx, contactId),
    findContact(tx, contactId),
    listTriggers(tx),
  ])
  // The inbox may have more rows, and one of them may be an exit, so take no steps yet.
  const scene = inbox.length < inboxLimit ? base : { ...base, takesStepsOf: () => false }
  const ids = inbox.flatMap(({ event_id }) => event_id ?? [])
  const events = ids.length === 0 ? [] : await listEvents(tx, ids)
  if (contact !== undefined) {
    const byId = new Map(events.map((event) => [event.id, event]))
    const outside = new Set(
      inbox.flatMap(({ event_id, chain }) => (chain.length === 0 ? (event_id ?? []) : [])),
    )
    const entered = await enterAutomations(scene, contact, inbox, byId)
    const active = await lockActiveOf(tx, contactId)
    const starts = entered === undefined ? [] : await listStarts(tx, contactId)
    const seen = new Set(inbox.flatMap((row) => [row.id, row.event_id]))
    const listening: Listening = {
      contactId,
      triggers,
      listeners: await listenersIn(scene, active),
      started: starts.filter((one) => !seen.has(one)),
    }
    const inside = { ...scene, tx: actingFor(tx, tx.actor, [], listening) }
    for (const [place, locked] of active.entries()) {
      const { id } = locked
      // The previous enrollment may have changed the contact, or ended this enrollment.
      const [enrollment, current] =
        place === 0
          ? [locked, contact]
          : await Promise.all([findEnrollment(tx, id), findContact(tx, contactId)])
      // Events after what started the enrollment count, even if they arrived before the engine created the enrollment.
      const starters = [id, enrollment?.event_id, entered?.get(id)]
      const since = inbox.filter(({ follows }) => starters.some((one) => follows.includes(one ?? '')))
      const news = since.flatMap(({ event_id }) => byId.get(event_id ?? '') ?? [])
      if (enrollment !== undefined && isActive(enrollment))
        await moveEnrollment(inside, received(scene, enrollment, inbox), orNotFound(current), news, outside)
    }
  }
  if (inbox.length > 0)
    deleteFromInbox(
      tx,
      contactId,
      inbox.map(({ id }) => id),
    )
}

const listenersIn = ({ versionOf }: MoveScene, active: readonly Enrollment[]) =>
  Promise.all(
    active.map(async ({ id, automation_id, version }) => {
      const { definition } = orNotFound(await versionOf(automation_id, version))
      return { id, listensTo: listensTo(definition) }
    }),
  )

/** Stores a response from outside, if the current step waits for it. Ignores responses to earlier steps, and repeated ones. */
function received({ tx, now }: MoveScene, enrollment: Enrollment, inbox: readonly InboxRow[]): Enrollment {
  const { id, seq, waiting_for: waiting } = enrollment
  const response = inbox.find((one) => one.enrollment_id === id && one.seq === seq)?.response ?? undefined
  if (response === undefined || waiting?.kind !== 'response' || waiting.response !== undefined)
    return enrollment
  const changed = { waiting_for: { ...waiting, response }, due_at: now.toISOString() }
  saveEnrollment(tx, id, changed)
  return { ...enrollment, ...changed }
}

/** `since`: the events since the engine last looked at the enrollment. `outside`: the IDs of events that no automation caused. */
async function moveEnrollment(
  scene: MoveScene,
  before: Enrollment,
  contact: Contact,
  since: readonly JournalRow[],
  outside: ReadonlySet<string>,
): Promise<void> {
  const { tx, now } = scene
  const takesSteps = scene.takesStepsOf(before.id)
  const [automation, version, [trigger]] = await Promise.all([
    findAutomation(tx, before.automation_id),
    scene.versionOf(before.automation_id, before.version),
    before.event_id === null ? [] : listEvents(tx, [before.event_id]),
  ])
  const { definition } = orNotFound(version)
  const facts = { ...factsOfEvent(trigger), context: before.context ?? {} }
  const exit = (of: Contact) => exitReason(scene, definition, { ...facts, contact: of }, since)
  const reason = await exit(contact)
  if (reason !== undefined) return void (await endEnrollment(tx, before, 'exited', reason))
  const runStatus = scene.runs.get(before.automation_id)
  if (takesSteps && (await stopWithOthers(tx, orNotFound(automation), runStatus, before))) return
  const { status, due_at } = before
  const isDue = due_at !== null && Date.parse(due_at) <= now.getTime()
  // After a failed attempt, the step is retried at its time. It then sees what has arrived.
  const isWoken = before.attempts === 0 && isAwaitedIn(before, definition, since)
  if (status === 'paused' || !(isDue || isWoken)) return
  const current = { ...before, due_at: isDue ? (before.planned_at ?? due_at) : now.toISOString() }
  if (!takesSteps) return isDue ? undefined : saveEnrollment(tx, before.id, { due_at: current.due_at })
  await takeSteps(scene, {
    before: current,
    contact,
    automation: orNotFound(automation),
    definition,
    facts,
    exit,
    news: since.filter(({ id }) => outside.has(id)),
  })
}
