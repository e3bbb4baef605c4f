import type { Outgoing } from '#kernel/outgoing.ts'
import { documentFollowUp } from './jobs.ts'
import { listUnsentDocuments } from './queries.ts'
import { voidDocument } from './void-document.ts'

export const outgoingDocuments: Outgoing = {
  name: 'documents',
  what: 'Documents that were not sent to their signers',
  tables: ['documents'],
  workers: [documentFollowUp.name],
  released: 'They are sent.',
  dropped: 'They are voided. Those that a person has voided or erased are still ended at the provider.',
  scope: 'workspace',
  count: async ({ db }, before) => (await listUnsentDocuments(db, before)).length,
  async drop(ctx, before) {
    for (const id of await listUnsentDocuments(ctx.db, before))
      await voidDocument(ctx, id, 'The database was restored.')
  },
}
