import { type Static, Type } from 'typebox'
import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, orNotFound } from '#kernel/errors.ts'
import { listTimeline } from '#kernel/events/journal.ts'
import { nullable } from '#kernel/schemas.ts'
import { type Definition, findAutomationOfOwn, findVersion } from '../../automations/public.ts'
import { findContact } from '../../contacts/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { FailingConditions, Obstacle } from './entry.ts'
import { findObstacles, judgeTriggers, holdsNow } from './find-obstacles.ts'

const failing = [{ field: 'lead.price', operator: 'gte', expected: 400_000, actual: 350_000 }]

export const EntryExplanation = Type.Object(
  {
    automation_id: Type.String(),
    version: nullable(
      Type.Integer({ description: 'The published version. Null if no version has been published.' }),
    ),
    contact_id: Type.String(),
    would_enter: Type.Boolean({ description: 'Whether a trigger would enroll the contact now.' }),
    reasons: Type.Array(Obstacle, { description: 'Everything that prevents the enrollment.' }),
    triggers: Type.Array(
      Type.Object({
        event: Type.String(),
        event_id: nullable(
          Type.String({
            description:
              'The last event of this type for the contact, which `trigger.` tests. Null if there is none; then `trigger.` has no values.',
          }),
        ),
        matches: Type.Boolean({ description: 'Whether the conditions of the trigger hold.' }),
        failing_conditions: FailingConditions,
      }),
      { description: 'All triggers of the version.' },
    ),
    enrollment_id: nullable(Type.String({ description: 'The enrollment that prevents a new one.' })),
  },
  {
    title: 'EntryExplanation',
    examples: [
      {
        automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
        version: 3,
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        would_enter: false,
        reasons: ['condition'],
        triggers: [
          {
            event: 'lead.created',
            event_id: 'cmi8h3b7q0003a1s4d7f9g2h5',
            matches: false,
            failing_conditions: failing,
          },
        ],
        enrollment_id: null,
      },
    ],
  },
)

/** Whether a trigger would enroll a contact now, and everything that prevents it. Writes nothing. Throws 404 for a contact out of reach. */
export const explainEntry = (ctx: Ctx, automationId: string, contactId: string) =>
  ctx.transaction((tx) => explain(ctx, tx, automationId, contactId))

async function explain(
  ctx: Ctx,
  tx: Tx,
  automationId: string,
  contactId: string,
): Promise<Static<typeof EntryExplanation>> {
  const [automation, contact] = await Promise.all([
    findAutomationOfOwn(tx, automationId),
    findContact(tx, contactId),
  ])
  const { version } = orNotFound(automation)
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  // Judges with unlimited reach, like the engine.
  const db = tx.unrestricted()
  const published = version === null ? undefined : await findVersion(db, automationId, version)
  const definition: Definition = published?.definition ?? { steps: [] }
  const now = ctx.clock.now()
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  const reader = ctx.masked ? { id: ctx.actor.id, ownSubject: 'lead' } : undefined
  const triggers = await Promise.all(
    (definition.triggers ?? []).map(async (trigger) => {
      const [event] = await listTimeline(db, reader, contactId, { before: null, limit: 1 }, [trigger.event])
      const chosen = (one: typeof trigger) => one === trigger
      const source = { db, keys: ctx.keys }
      const judged = await judgeTriggers(source, definition, { contact, event, chosen }, { now, timezone })
      return { event: trigger.event, event_id: event?.id ?? null, judged: orNotFound(judged[0]) }
    }),
  )
  const wish = { automation: orNotFound(automation), definition, contact, chain: [] }
  const judge = async () => triggers.map(({ judged }) => judged)
  const reasons: Static<typeof Obstacle>[] = []
  let enrollmentId: string | undefined
  for await (const obstacle of findObstacles(db, { ...wish, judge }, now)) {
    enrollmentId ??= obstacle.enrollmentId
    reasons.push(obstacle.reason === 'condition' && triggers.length === 0 ? 'no_trigger' : obstacle.reason)
  }
  return {
    automation_id: automationId,
    version,
    contact_id: contactId,
    would_enter: reasons.length === 0,
    reasons,
    triggers: triggers.map(({ event, event_id, judged }) => ({
      event,
      event_id,
      matches: holdsNow(judged),
      failing_conditions: judged.failing_conditions,
    })),
    enrollment_id: enrollmentId ?? null,
  }
}
