import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { pointsOf } from './contact-points.ts'
import { insertPoints, listContactPoints, listPresentPoints, markDoubles } from './point-queries.ts'
import { listContactsById, listToReadAgain, lockPoints, lockToReadAgain, saveReadAgain } from './queries.ts'

/** Contacts per transaction, and transactions per workspace before the next workspace gets its turn. */
const batchSize = 200
const batchesPerRun = 250

/**
 * Reads the phones and names that earlier versions stored as they would be read today: the number in E.164 with its
 * extension, the columns that `q` searches, and the point of a phone that was not readable before. Publishes nothing and
 * makes no new versions. What a batch has read is marked, so a run that ends early goes on later. Returns how many
 * contacts were read.
 */
export async function readAgain(runtime: Runtime, workspaceId: string): Promise<number> {
  const actor = { type: 'system', id: null, name: 'read-contacts-again' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
  let read = 0
  for (let batches = 0; batches < batchesPerRun; batches++) {
    const some = await readBatch(ctx)
    if (some === 0) break
    read += some
  }
  return read
}

const readBatch = (ctx: Ctx): Promise<number> =>
  ctx.transaction(async (tx) => {
    const next = await listToReadAgain(tx, batchSize)
    const phonesOf = ({ phone }: { phone: string | null }) => pointsOf({ phone, email: null })
    lockPoints(tx, next.flatMap(phonesOf))
    const held = await lockToReadAgain(
      tx,
      next.map(({ id }) => id),
    )
    saveReadAgain(tx, held)
    const known = await listContactPoints(tx, { contactIds: held.map(({ id }) => id), points: [] })
    const had = new Set(known.map(({ contact_id, value }) => `${contact_id} ${value}`))
    for (const { id, owner_id, ...contact } of held) {
      const added = phonesOf(contact).filter(({ value }) => !had.has(`${id} ${value}`))
      if (added.length === 0) continue
      const present = await listPresentPoints(tx, added)
      const [first] = await listContactsById(
        tx,
        present.map(({ contact_id }) => contact_id),
      )
      insertPoints(tx, id, added, 'contact', tx.clock.now().toISOString())
      // As for all points that earlier versions stored: the contact that came later takes nothing over.
      if (first !== undefined && first.owner_id !== owner_id) markDoubles(tx, id, added)
    }
    return next.length
  })

/** Reads again what earlier versions stored, once in each workspace. */
export const readContactsAgain = periodicJob('read-contacts-again', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        const read = await readAgain(runtime, workspaceId)
        if (read > 0) runtime.log.info({ workspaceId, read }, 'contacts of earlier versions read again')
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'contacts of earlier versions not read again')
      }
    }
  },
})
