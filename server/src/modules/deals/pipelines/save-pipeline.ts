import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { VersionConflict } from '../errors.ts'
import { PipelineCreated, PipelineUpdated } from '../events.ts'
import {
  findDefaultPipeline,
  findPipeline,
  insertPipeline,
  lockPipelines,
  savePipeline,
} from '../pipeline-queries.ts'
import {
  type PipelineDraft,
  type PipelinePatch,
  type PipelineWithStages,
  pipelineRecord,
} from '../pipeline.ts'
import { arrangeStages, plainStages } from '../stage.ts'
import { replaceStages, requireKnown } from './replace-stages.ts'

/** Adds a pipeline. If it is the default, it replaces the previous default. */
export const createPipeline = (
  ctx: Ctx,
  { stages: drafts = plainStages, ...draft }: PipelineDraft,
): Promise<PipelineWithStages> =>
  ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { stages, unknown } = arrangeStages(drafts, [], now)
    await requireKnown(tx, unknown)
    const { type, id } = ctx.actor
    const pipeline = { ...pipelineRecord.create(draft, now), created_by: { type, id }, stages }
    lockPipelines(tx)
    if (pipeline.is_default) await releaseDefault(tx)
    insertPipeline(tx, pipeline)
    await tx.emit(PipelineCreated, pipeline)
    return pipeline
  })

const detailNames = ['name', 'description', 'deal_type', 'is_default', 'order_weight', 'archived_at'] as const

/** Applies the patch. A patch that changes nothing does not increment the version. */
export const updatePipeline = (ctx: Ctx, id: string, patch: PipelinePatch): Promise<PipelineWithStages> =>
  ctx.transaction(async (tx) => {
    const { archived, stages: _, version, move_to: __, ...fields } = patch
    lockPipelines(tx)
    const { stages: before, ...row } = requireMatch(ctx, orNotFound(await findPipeline(tx, id)))
    if (version !== undefined && version !== row.version) throw VersionConflict(row.version)
    const now = ctx.clock.now()
    const archived_at = archived === true ? (row.archived_at ?? now.toISOString()) : null
    const changes = { ...fields, ...(archived === undefined ? {} : { archived_at }) }
    requireOneDefault(patch, row.is_default, { ...row, ...changes })
    const stages = await replaceStages(tx, id, before, patch)
    if (pipelineRecord.applyPatch(row, changes, now) === undefined && isDeepStrictEqual(stages, before))
      return { ...row, stages }
    if (changes.is_default === true && !row.is_default) await releaseDefault(tx)
    const patched = orNotFound(pipelineRecord.applyPatch(row, { ...changes, version: row.version + 1 }, now))
    savePipeline(tx, id, patched.changed)
    const shown = changesOf(pipelineRecord, detailNames, row, patched.after)
    const [from, to] = [before, stages].map((all) => all.map(({ name }) => name))
    if (!isDeepStrictEqual(stages, before)) shown.push({ field: 'stages', from, to })
    await tx.emit(PipelineUpdated, { id, changes: shown })
    return { ...patched.after, stages }
  })

/**
 * The default pipeline stays the default until another one replaces it, and it cannot be archived because new deals
 * need it.
 */
function requireOneDefault(
  { archived }: PipelinePatch,
  wasDefault: boolean,
  after: { is_default: boolean; archived_at: string | null },
): void {
  if (wasDefault && !after.is_default)
    throw ValidationFailed([
      { path: 'is_default', message: 'stays true until another pipeline is the default' },
    ])
  if (after.is_default && after.archived_at !== null)
    throw ValidationFailed([
      archived === true
        ? { path: 'archived', message: 'cannot be true for the default pipeline' }
        : { path: 'is_default', message: 'cannot be true for an archived pipeline' },
    ])
}

/** Clears the current default before another pipeline becomes it. */
async function releaseDefault(tx: Tx): Promise<void> {
  const pipeline = await findDefaultPipeline(tx)
  if (pipeline === undefined) return
  const { id, version, updated_at } = pipeline
  savePipeline(tx, id, {
    is_default: false,
    version: version + 1,
    updated_at: timeAfter(updated_at, tx.clock.now()),
  })
  await tx.emit(PipelineUpdated, { id, changes: [{ field: 'is_default', from: true, to: false }] })
}
