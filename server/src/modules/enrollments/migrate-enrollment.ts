import type { Tx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { type Definition, stepOf } from '../automations/public.ts'
import { beginning } from './advance.ts'
import type { Enrollment } from './enrollment.ts'
import { EnrollmentMigrated } from './events.ts'
import { appendToInbox } from './inbox/append.ts'
import { findInGroup, saveEnrollment } from './queries.ts'

/**
 * Moves an enrollment to another version, to the step with the same key, without changing the end of its wait. An enrollment that has not
 * started starts with the first step of that version. Queues the contact for the engine. Returns the reason if the enrollment cannot move.
 * The caller holds the locks of the contact and the enrollment.
 */
export async function migrateEnrollment(
  tx: Tx,
  before: Enrollment,
  automation_name: string,
  from: Definition,
  to: { version: number; definition: Definition },
): Promise<string | undefined> {
  const key = before.started_at === null ? beginning(to.definition).at : before.step_key
  const old = before.step_key === null ? undefined : stepOf(from, before.step_key)
  const step = key === null ? undefined : stepOf(to.definition, key)
  if (step === undefined) return 'step_missing'
  if (before.started_at !== null && step.type !== old?.type) return 'step_differs'
  const group_name = to.definition.exclusive_group?.name ?? null
  const holder = group_name === null ? undefined : await findInGroup(tx, group_name, before.contact_id)
  if (holder !== undefined && holder.id !== before.id) return 'group'
  const now = tx.clock.now()
  saveEnrollment(tx, before.id, {
    version: to.version,
    group_name,
    step_key: step.key,
    ...(before.status !== 'paused' && before.waiting_for?.kind === 'event' && { due_at: now.toISOString() }),
    updated_at: timeAfter(before.updated_at, now),
  })
  // The version may react to what has already happened: an exit that applies, or an event that it waits for.
  appendToInbox(tx, { contact_id: before.contact_id })
  await tx.emit(EnrollmentMigrated, {
    ...before,
    automation_name,
    version: to.version,
    from_version: before.version,
  })
  return undefined
}
