import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { assignCalls } from '../calls/public.ts'
import { assignDoubles } from '../contacts/public.ts'
import { assignMessages } from '../messages/public.ts'
import { type HolderAssignment, findAssignment, saveAssignment } from './queries.ts'

/** Rows per transaction, and transactions per workspace before the next workspace gets its turn. */
const batchSize = 500
const batchesPerRun = 100

const steps = { points: assignDoubles, messages: assignMessages, calls: assignCalls } as const
const next = { points: 'messages', messages: 'calls', calls: 'done' } as const

/**
 * Assigns what earlier versions stored. First, of the points that several contacts have, the later ones become doubles
 * if both contacts have owners and these differ. Then messages and calls without a contact get the one that held their
 * number or address at that time, if it was only one. Each batch commits together with how far it came, so a run that
 * ends early goes on later. Returns how many messages and calls were assigned.
 */
export async function assignEarlier(runtime: Runtime, workspaceId: string): Promise<number> {
  const actor = { type: 'system', id: null, name: 'assign-holders' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
  let assigned = 0
  for (let batches = 0; batches < batchesPerRun; batches++) {
    const batch = await assignBatch(ctx)
    if (batch === undefined) break
    assigned += batch
  }
  return assigned
}

/** Undefined if all is done. */
const assignBatch = (ctx: Ctx): Promise<number | undefined> =>
  ctx.transaction(async (tx) => {
    const began_at = tx.clock.now().toISOString()
    const { step, after, ...begun }: HolderAssignment = (await findAssignment(tx)) ?? {
      step: 'points',
      after: '',
      began_at,
    }
    if (step === 'done') return undefined
    const before = firstIdAt(Date.parse(begun.began_at))
    const batch = await steps[step](tx, { after, before, limit: batchSize })
    const isLast = batch.last === undefined
    saveAssignment(tx, { ...begun, step: isLast ? next[step] : step, after: batch.last ?? '' })
    return step === 'points' ? 0 : batch.assigned
  })
