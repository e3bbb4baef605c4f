import type { Tx } from '#kernel/context.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import type { DocumentDependencies } from './ports.ts'
import { processDocument } from './process-document.ts'
import { listDueDocuments } from './queries.ts'

/** Documents are due when no callback has come, or their provider was unavailable. */
export const documentFollowUp = defineFollowUp('process-document', { listDue: listDueDocuments })

export const processDocumentJob = (dependencies: Pick<DocumentDependencies, 'signing' | 'files'>) =>
  documentFollowUp.job((ctx, id) => processDocument(ctx, dependencies, id))

export const queueDocument = (tx: Tx, documentId: string): void => documentFollowUp.queue(tx, documentId)
