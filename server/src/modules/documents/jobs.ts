import { Type } from 'typebox'
import { type Tx, createContext } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import type { DocumentDependencies } from './ports.ts'
import { processDocument } from './process-document.ts'
import { listDueDocuments } from './queries.ts'

const payload = Type.Object({ document_id: Type.String() })
const name = 'process-document'

export const processDocumentJob = (dependencies: Pick<DocumentDependencies, 'signing' | 'files'>) =>
  job(name, { payload, handle: (ctx, { document_id }) => processDocument(ctx, dependencies, document_id) })

/** The job by name only, for code that queues it: only the worker has the providers. */
const named = job(name, { payload, handle: async () => undefined })

export const queueDocument = (tx: Tx, documentId: string): void =>
  tx.enqueue(named, { document_id: documentId }, { key: documentId })

/** The maximum number of documents per workspace and run. */
const perRun = 200

/** Queues documents that got no callback, and documents whose provider was unavailable. */
export const processDueDocuments = periodicJob('process-documents', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'process-documents' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      const due = await listDueDocuments(ctx.db, runtime.clock.now(), perRun)
      if (due.length > 0)
        await ctx.transaction(async (tx) => {
          for (const id of due) queueDocument(tx, id)
        })
    }
  },
})
