import type { Ctx, Tx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { findConnection } from './connection-queries.ts'
import { SenderCreated, SenderUpdated } from './events.ts'
import { requireMayState } from './may-state.ts'
import {
  findDefaultSender,
  findSender,
  insertSender,
  listOthersOfBrand,
  listOthersOfCampaign,
  lockSender,
  saveSender,
} from './queries.ts'
import { kindsOfSender, requireKnownStates } from './registration.ts'
import { connectionFor } from './save-connection.ts'
import { type SenderRow, type SenderDraft, type SenderPatch, senders } from './sender.ts'

const SenderExists = defineError('conflict', 409, (address: string) => ({
  message: `${address} is already a sender of this workspace.`,
}))

/**
 * Adds a number or an address. The first sender of a channel becomes its default. Throws as `connectionFor` does, and 409
 * if the workspace already has the address.
 */
export const createSender = (ctx: Ctx, draft: SenderDraft): Promise<SenderRow> =>
  ctx.transaction(async (tx) => {
    lock(tx, 'senders')
    const { channel, provider, pace, unregistered } = kindsOfSender[draft.kind]
    const connection = await connectionFor(tx, ctx, provider, draft.connection_id)
    if (draft.registration !== undefined) {
      requireMayState(ctx, connection, 'registration')
      requireKnownStates(draft.kind, draft.registration)
    }
    const before = await findDefaultSender(tx, channel)
    const row: SenderRow = {
      ...senders.create({ pace, is_default: before === undefined, ...draft }, tx.clock.now()),
      connection_id: connection.id,
      channel,
      registration: { ...unregistered, ...draft.registration },
    }
    if ((await findSender(tx, row.address, channel)) !== undefined) throw SenderExists(row.address)
    if (row.is_default && before !== undefined) await change(tx, before, { is_default: false })
    await shareLimits(tx, row, draft)
    insertSender(tx, row)
    await tx.emit(SenderCreated, { id: row.id, kind: row.kind })
    return row
  })

/**
 * Applies the patch. A new default replaces the current one. Members of `registration` that are left out keep their
 * values. `isReported`: the provider has reported them.
 */
export const updateSender = (
  ctx: Ctx,
  id: string,
  patch: SenderPatch,
  { isReported = false } = {},
): Promise<SenderRow> =>
  ctx.transaction(async (tx) => {
    lock(tx, 'senders')
    const sender = requireMatch(ctx, orNotFound(await lockSender(tx, id)))
    if (patch.registration !== undefined && !isReported) {
      const connection = orNotFound(await findConnection(tx, tx.workspaceId, sender.connection_id))
      requireMayState(ctx, connection, 'registration')
      requireKnownStates(sender.kind, patch.registration)
    }
    const registration = { ...sender.registration, ...patch.registration }
    if (patch.is_default === true) await resignDefault(tx, sender)
    const shared = { ...sender, ...patch }
    await shareLimits(tx, shared, patch)
    const { campaign_pace, brand_daily_limit } = shared
    return change(tx, sender, { ...patch, campaign_pace, brand_daily_limit, registration })
  })

/**
 * Keeps limits equal among all senders of a campaign, and of a brand. A limit that is set on one sender is copied to
 * the others. A sender that joins gets the others' limit. Changes `row` in place.
 */
async function shareLimits(
  tx: Tx,
  row: Pick<SenderRow, 'id' | 'campaign' | 'campaign_pace' | 'brand' | 'brand_daily_limit'>,
  given: SenderPatch,
): Promise<void> {
  if (row.campaign !== null && (given.campaign !== undefined || given.campaign_pace !== undefined)) {
    const others = await listOthersOfCampaign(tx, row.campaign, row.id)
    if (given.campaign_pace === undefined) row.campaign_pace = others[0]?.campaign_pace ?? row.campaign_pace
    for (const other of others) await change(tx, other, { campaign_pace: row.campaign_pace })
  }
  if (row.brand !== null && (given.brand !== undefined || given.brand_daily_limit !== undefined)) {
    const others = await listOthersOfBrand(tx, row.brand, row.id)
    if (given.brand_daily_limit === undefined)
      row.brand_daily_limit = others[0]?.brand_daily_limit ?? row.brand_daily_limit
    for (const other of others) await change(tx, other, { brand_daily_limit: row.brand_daily_limit })
  }
}

async function resignDefault(tx: Tx, { id, channel }: SenderRow): Promise<void> {
  const before = await findDefaultSender(tx, channel)
  if (before !== undefined && before.id !== id) await change(tx, before, { is_default: false })
}

async function change(tx: Tx, before: SenderRow, patch: SenderPatch): Promise<SenderRow> {
  const patched = senders.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  const { updated_at: _, ...changed } = patched.changed
  saveSender(tx, before.id, patched.changed)
  await tx.emit(SenderUpdated, { id: before.id, kind: before.kind, changed: Object.keys(changed) })
  return patched.after
}
