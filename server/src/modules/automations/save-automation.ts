import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, found } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { findPipelineOfStage } from '../deals/public.ts'
import { findPersona } from '../personas/public.ts'
import { findUnknownIds } from '../workspaces/public.ts'
import {
  type Automation,
  type AutomationDraft,
  type AutomationPatch,
  type Disabling,
  automationRecord,
} from './automation.ts'
import { lockRunningChanges } from './changes/change-queries.ts'
import { startChange } from './changes/start-change.ts'
import { readDefinition } from './definition/definition-issues.ts'
import type { Definition } from './definition/definition.ts'
import { placedSteps } from './definition/tree.ts'
import {
  AutomationCancelling,
  AutomationIsArchived,
  AutomationIsEnabled,
  AutomationUnpublished,
} from './errors.ts'
import {
  AutomationArchived,
  AutomationCreated,
  AutomationEnabled,
  AutomationPublished,
  AutomationUnarchived,
  AutomationUpdated,
  AutomationWasDisabled,
} from './events.ts'
import { requireWebhooks } from './outside/require-webhooks.ts'
import {
  findAutomationOfOwn,
  findVersion,
  insertAutomation,
  insertVersion,
  listAutomationsById,
  lockAutomation,
  saveAutomation,
} from './queries.ts'

/** Validates a definition the way saving does. Throws `ValidationFailed`, and 404 if the definition names a record that does not exist. */
export async function requireDefinition(ctx: Ctx, input: unknown): Promise<Definition> {
  const definition = readDefinition(input, ctx.eventTypes)
  const named = [...referencesIn(definition)]
  const idsOf = (kind: Reference['kind']) => named.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const moves = placedSteps(definition.steps, 'definition.steps')
    .flatMap(([step, path]) =>
      step.type === 'move_deal' && step.stage_id !== undefined ? [{ id: step.stage_id, path }] : [],
    )
    .toArray()
  const [unknown, automations, pipelines, personas] = await Promise.all([
    findUnknownIds(ctx.db, { members: idsOf('member'), teams: [], offices: [] }),
    listAutomationsById(ctx.db, idsOf('automation')),
    Promise.all(moves.map(({ id }) => findPipelineOfStage(ctx.db, id))),
    Promise.all(idsOf('persona').map((id) => findPersona(ctx.db, id))),
  ])
  const known = new Set([...automations, ...personas].flatMap((one) => one?.id ?? []))
  const missing = named.find(({ kind, id }) => (kind === 'member' ? unknown.has(id) : !known.has(id)))
  if (missing !== undefined) throw ReferenceNotFound(missing.path)
  const astray = moves.filter((_, i) => pipelines[i] === undefined)
  if (astray.length > 0)
    throw ValidationFailed(
      astray.map(({ path }) => ({ path: `${path}.stage_id`, message: 'is not a stage of a pipeline' })),
    )
  await requireWebhooks(ctx, definition)
  return definition
}

interface Reference {
  kind: 'member' | 'automation' | 'persona'
  id: string
  path: string
}

const references = {
  member_id: 'member',
  assignee_id: 'member',
  automation_id: 'automation',
  persona_id: 'persona',
} as const

/** The records that steps reference by ID. */
function* referencesIn({ steps }: Definition): Generator<Reference> {
  for (const [step, at] of placedSteps(steps, 'definition.steps'))
    for (const [name, kind] of Object.entries(references)) {
      const id = (step as unknown as Record<string, unknown>)[name]
      if (typeof id === 'string') yield { kind, id, path: `${at}.${name}` }
    }
}

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
  found(await findAutomationOfOwn(ctx.db, id))
  if (patch.definition !== undefined) await requireDefinition(ctx, patch.definition)
  return ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, found(await lockAutomation(tx, id)))
    const { archived = before.archived_at !== null, ...draft } = patch
    if (archived && before.enabled) throw AutomationIsEnabled()
    const now = tx.clock.now().toISOString()
    const drafted = change(tx, before, {
      ...draft,
      ...(draft.definition !== undefined && {
        draft_version: await versionOfDraft(tx, before, draft.definition),
      }),
    })
    if (drafted !== before) await tx.emit(AutomationUpdated, drafted)
    if (archived === (before.archived_at !== null)) return drafted
    const after = change(tx, drafted, { archived_at: archived ? now : null })
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

/** Creates a version from the draft, unless the draft has not changed. Existing enrollments keep their version. */
export const publishAutomation = (ctx: Ctx, id: string): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = found(await lockAutomation(tx, id))
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
    const after = change(tx, before, { version, draft_version: null, trigger_events })
    await tx.emit(AutomationPublished, after)
    return after
  })

/**
 * Lets the automation enroll contacts, and resumes the enrollments that it paused when it was disabled. Throws 409
 * `automation_unpublished`, `automation_archived`, or `automation_cancelling` while its enrollments are being cancelled.
 */
export const enableAutomation = (ctx: Ctx, id: string): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = found(await lockAutomation(tx, id))
    if (before.archived_at !== null) throw AutomationIsArchived()
    if (before.version === null) throw AutomationUnpublished()
    if (before.enabled) return before
    await requireNotCancelling(tx, before)
    const changed = before.running === 'pause' ? (await startChange(tx, before, 'resume')).changed : {}
    const after = change(tx, before, { enabled: true, running: null, ...changed })
    await tx.emit(AutomationEnabled, after)
    return after
  })

const actions = { pause: 'pause', finish: 'resume', cancel: 'cancel' } as const

/**
 * Stops the automation from enrolling contacts. `running` decides what happens to those enrolled, and can be changed while the automation
 * is disabled. Throws 409 `automation_cancelling`.
 */
export const disableAutomation = (ctx: Ctx, id: string, running: Disabling): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = found(await lockAutomation(tx, id))
    if (!before.enabled && (before.running === null || before.running === running)) return before
    await requireNotCancelling(tx, before)
    const isChange = running !== 'finish' || before.running === 'pause'
    const changed = isChange ? (await startChange(tx, before, actions[running])).changed : {}
    const after = change(tx, before, { enabled: false, running, ...changed })
    await tx.emit(AutomationWasDisabled, after)
    return after
  })

async function requireNotCancelling(tx: Tx, { id }: Automation): Promise<void> {
  const running = await lockRunningChanges(tx, id)
  if (running.some(({ action }) => action === 'cancel')) throw AutomationCancelling()
}

function change(tx: Tx, before: Automation, patch: Partial<Automation>): Automation {
  const patched = automationRecord.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  saveAutomation(tx, before.id, patched.changed)
  return patched.after
}
