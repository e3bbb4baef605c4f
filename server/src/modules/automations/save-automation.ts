import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import {
  type Automation,
  type AutomationDraft,
  type AutomationPatch,
  automationRecord,
} from './automation.ts'
import type { Definition } from './definition/definition.ts'
import { AutomationIsEnabled } from './errors.ts'
import {
  AutomationArchived,
  AutomationCreated,
  AutomationPublished,
  AutomationUnarchived,
  AutomationUpdated,
} from './events.ts'
import {
  findAutomationOfOwn,
  findVersion,
  insertAutomation,
  insertVersion,
  lockAutomation,
  saveAutomation,
} from './queries.ts'
import { requireDefinition } from './require-definition.ts'

const draftNames = ['name', 'description', 'definition'] as const

/** Creates an automation. It enrolls no contacts until it is published and enabled. */
export async function createAutomation(ctx: Ctx, draft: AutomationDraft): Promise<Automation> {
  await requireDefinition(ctx, draft.definition)
  return ctx.transaction(async (tx) => {
    const { type, id } = ctx.actor
    const automation = {
      ...automationRecord.create(draft, ctx.clock.now()),
      created_by: { type, id },
    }
    insertAutomation(tx, automation)
    await tx.emit(AutomationCreated, automation)
    return automation
  })
}

/**
 * Patches the draft, and archives or restores the automation. Published versions never change. Throws 409 `automation_enabled` when
 * archiving an enabled automation.
 */
export async function updateAutomation(ctx: Ctx, id: string, patch: AutomationPatch): Promise<Automation> {
  orNotFound(await findAutomationOfOwn(ctx.db, id))
  if (patch.definition !== undefined) await requireDefinition(ctx, patch.definition)
  return ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockAutomation(tx, id)))
    const { archived = before.archived_at !== null, ...draft } = patch
    if (archived && before.enabled) throw AutomationIsEnabled()
    const now = tx.clock.now().toISOString()
    const drafted = changeAutomation(tx, before, {
      ...draft,
      ...(draft.definition !== undefined && {
        draft_version: await versionOfDraft(tx, before, draft.definition),
      }),
    })
    const changed = draftNames.filter((name) => !isDeepStrictEqual(before[name], drafted[name]))
    if (changed.length > 0) await tx.emit(AutomationUpdated, { ...drafted, changed })
    if (archived === (before.archived_at !== null)) return drafted
    const after = changeAutomation(tx, drafted, { archived_at: archived ? now : null })
    await tx.emit(archived ? AutomationArchived : AutomationUnarchived, after)
    return after
  })
}

/** The version number that publishing the draft would create; null if the draft is already published unchanged. */
async function versionOfDraft(
  tx: Tx,
  { id, version }: Automation,
  definition: Definition,
): Promise<number | null> {
  if (version === null) return 1
  const published = await findVersion(tx, id, version)
  return isDeepStrictEqual(published?.definition, definition) ? null : version + 1
}

/**
 * Creates a version from the draft, unless the draft has not changed. Existing enrollments keep their version. Checks the draft again,
 * because the records that it names may have changed since.
 */
export async function publishAutomation(ctx: Ctx, id: string): Promise<Automation> {
  const draft = orNotFound(await findAutomationOfOwn(ctx.db, id))
  if (draft.draft_version !== null) await requireDefinition(ctx, draft.definition)
  return ctx.transaction(async (tx) => {
    const before = orNotFound(await lockAutomation(tx, id))
    const { definition } = before
    const version = await versionOfDraft(tx, before, definition)
    if (version === null) return before
    const { type, id: actorId } = ctx.actor
    insertVersion(tx, {
      automation_id: id,
      version,
      definition,
      created_by: { type, id: actorId },
      created_at: ctx.clock.now().toISOString(),
    })
    const trigger_events = [...new Set((definition.triggers ?? []).map(({ event }) => event))]
    const after = changeAutomation(tx, before, { version, draft_version: null, trigger_events })
    await tx.emit(AutomationPublished, after)
    return after
  })
}

/** Writes what a patch changes. The caller holds the automation's lock. */
export function changeAutomation(tx: Tx, before: Automation, patch: Partial<Automation>): Automation {
  const patched = automationRecord.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  saveAutomation(tx, before.id, patched.changed)
  return patched.after
}
