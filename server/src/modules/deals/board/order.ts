import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import type { PipelineStage } from '../stage.ts'
import { type Position, findFirst, findNext, findPlaced, listOrder, saveOrder } from './queries.ts'

/** A longer key triggers renumbering of the whole stage. */
const maxKeyLength = 100

interface Place {
  after: string | null
}

/**
 * The key for a deal at a place in the stage, by default at the top. The caller must hold the stage's lock. `before` is
 * the deal's current position; if the deal is already at that place, it keeps its key.
 */
export async function keyFor(
  tx: Tx,
  stage: PipelineStage,
  place: Place | undefined,
  before?: Position,
): Promise<string> {
  // Unrestricted, because the actual neighbors count, no matter who owns them.
  const all = tx.unrestricted()
  const after = place?.after ?? null
  const above = after === null ? undefined : await findAbove(tx, stage, after, before?.id)
  const below =
    above === undefined ? await findFirst(all, stage.id, before?.id) : await findNext(all, above, before?.id)
  if (before?.stage_id === stage.id && isBetween(before.order_key, above?.order_key, below?.order_key))
    return before.order_key
  const key = keyBetween(above?.order_key, below?.order_key)
  return key ?? renumber(all, stage, above?.id, before?.id)
}

/**
 * The key for a new deal at the top of the stage. The caller must hold the stage's lock in shared mode. Concurrent new
 * deals each skip one key and append the end of their own ID, so no two get the same key.
 */
export async function keyOnTop(tx: Tx, stage: PipelineStage, id: string): Promise<string> {
  const first = await findFirst(tx.unrestricted(), stage.id)
  const above = generateKeyBetween(null, first?.order_key ?? null)
  // A key must not end with a zero.
  return `${generateKeyBetween(null, above)}${id.slice(-5)}V`
}

const isBetween = (key: string, above = '', below = '~') => above < key && key < below

/** Undefined if the stage needs to be renumbered. */
export function keyBetween(above: string | undefined, below: string | undefined): string | undefined {
  if (above !== undefined && below !== undefined && above >= below) return undefined
  const key = generateKeyBetween(above ?? null, below ?? null)
  return key.length > maxKeyLength ? undefined : key
}

async function findAbove(
  tx: Tx,
  stage: PipelineStage,
  after: string,
  moving: string | undefined,
): Promise<Position> {
  const path = 'place.after'
  const above = await findPlaced(tx, after)
  if (above === undefined) throw ReferenceNotFound(path)
  if (above.id === moving) throw ValidationFailed([{ path, message: 'is the deal itself' }])
  if (above.stage_id !== stage.id)
    throw ValidationFailed([{ path, message: `is a deal that is not in the stage ${stage.name}` }])
  return above
}

/**
 * Gives all deals of the stage short keys in the same order, with a gap below `above`. Returns the key for that gap.
 */
async function renumber(
  tx: Tx,
  stage: PipelineStage,
  above: string | undefined,
  moving: string | undefined,
): Promise<string> {
  const ids = (await listOrder(tx, stage.id)).map(({ id }) => id).filter((id) => id !== moving)
  const keys = generateNKeysBetween(null, null, ids.length + 1)
  const [key = ''] = keys.splice(above === undefined ? 0 : ids.indexOf(above) + 1, 1)
  saveOrder(tx, ids, keys)
  return key
}
