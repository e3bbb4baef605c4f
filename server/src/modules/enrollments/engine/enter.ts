import type { JournalRow } from '#kernel/events/journal.ts'
import { type Automation, lockAutomationsForShare, listTriggered } from '../../automations/public.ts'
import type { Contact } from '../../contacts/public.ts'
import { findMessage } from '../../messages/public.ts'
import { addEnrollment } from '../enroll.ts'
import { findObstacles, judgeTriggers, type JudgedTrigger } from '../entries/find-obstacles.ts'
import { recordEntry } from '../entries/record-entry.ts'
import type { InboxRow } from '../inbox/queries.ts'
import { findSending } from '../queries.ts'
import type { MoveScene } from '../steps/scene.ts'

/** What may enroll the contact: an event, or a step of another automation. */
interface Cause {
  automationId: string
  /** The inbox row. */
  rowId: string
  event: JournalRow | undefined
  chain: readonly string[]
}

/**
 * Enrolls a contact in the automations that its inbox rows start, and records an entry with the outcome for each. An automation never
 * starts itself, not even through others. Returns the inbox rows that enrolled the contact, by enrollment; undefined if no automation could
 * have started.
 */
export async function enterAutomations(
  scene: MoveScene,
  contact: Contact,
  inbox: readonly InboxRow[],
  events: ReadonlyMap<string, JournalRow>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const eventOf = ({ event_id, is_trigger }: InboxRow) =>
    is_trigger ? events.get(event_id ?? '') : undefined
  const names = new Set(inbox.flatMap((one) => eventOf(one)?.name ?? []))
  const started = names.size === 0 ? [] : await listTriggered(scene.tx, [...names])
  const causes: Cause[] = []
  for (const row of inbox) {
    const { automation_id, chain } = row
    const event = eventOf(row)
    const triggered = started.filter(({ trigger_events }) => trigger_events.includes(event?.name ?? ''))
    if (event !== undefined && triggered.length > 0) {
      const behind = await chainBehind(scene, contact, chain, event)
      causes.push(...triggered.map(({ id }) => ({ automationId: id, rowId: row.id, event, chain: behind })))
    }
    if (automation_id !== null)
      causes.push({ automationId: automation_id, rowId: row.id, event: undefined, chain })
  }
  if (causes.length === 0) return undefined
  // Lock order: automations before enrollments.
  const held = await lockAutomationsForShare(
    scene.tx,
    causes.map(({ automationId }) => automationId),
  )
  const entered = new Map<string, string>()
  for (const cause of causes) {
    const automation = held.find(({ id }) => id === cause.automationId)
    if (automation === undefined || automation.version === null) continue
    const id = await enter(scene, contact, { ...automation, version: automation.version }, cause)
    if (id !== undefined) entered.set(id, cause.rowId)
  }
  return entered
}

/** Returns the ID of the enrollment if the contact enters. */
async function enter(
  scene: MoveScene,
  contact: Contact,
  automation: Automation & { version: number },
  { event, chain }: Cause,
): Promise<string | undefined> {
  const { ctx, tx, now } = scene
  const { id, version } = automation
  const { definition } = (await scene.versionOf(id, version)) ?? { definition: { steps: [] } }
  let judged: JudgedTrigger[] = []
  const wish = { automation, definition, contact, chain }
  const judge = async () =>
    (judged = await judgeTriggers(
      { db: tx, keys: ctx.keys },
      definition,
      { contact, event, chosen: (trigger) => trigger.event === event?.name },
      scene,
    ))
  const asked = findObstacles(tx, event === undefined ? wish : { ...wish, judge }, now)
  const { value: obstacle } = await asked.next()
  const added =
    obstacle === undefined
      ? await addEnrollment(tx, automation, {
          contact_id: contact.id,
          source: event === undefined ? 'automation' : 'trigger',
          event_id: event?.id ?? null,
          chain: [...chain],
        })
      : undefined
  const outcome = obstacle?.reason ?? added?.taken ?? 'entered'
  recordEntry(scene, {
    automation_id: id,
    version,
    contact_id: contact.id,
    event: event?.name ?? null,
    event_id: event?.id ?? null,
    outcome,
    triggers: outcome === 'condition' ? judged : [],
    enrollment_id: obstacle?.enrollmentId ?? added?.enrollment.id ?? null,
  })
  return outcome === 'entered' ? added?.enrollment.id : undefined
}

/** A message is sent in a transaction of its own, so its events carry no chain. The automation that sent the message caused them. */
async function chainBehind(
  { tx }: MoveScene,
  contact: Contact,
  chain: readonly string[],
  { subject_type, subject_id }: JournalRow,
): Promise<readonly string[]> {
  if (chain.length > 0 || subject_type !== 'message') return chain
  const sending = await findSending(tx, contact.id, subject_id)
  if (sending !== undefined) return [...sending.chain, sending.automation_id]
  const actor = (await findMessage(tx, subject_id))?.actor
  return actor?.type === 'automation' && actor.id !== null ? [actor.id] : []
}
