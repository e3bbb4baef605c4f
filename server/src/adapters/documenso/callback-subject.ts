import type { CallbackSubject } from '../../modules/documents/ports.ts'
import { objectOf } from '../replies.ts'

/**
 * The envelope in a webhook. Documenso versions without envelopes send only Gable's document ID, and only for documents
 * that Gable created.
 */
export function documensoSubject(body: Uint8Array): CallbackSubject {
  const { payload } = objectOf({ body })
  const { envelopeId, externalId } = (
    typeof payload === 'object' && payload !== null ? payload : {}
  ) as Record<string, unknown>
  return {
    providerDocumentId: typeof envelopeId === 'string' ? envelopeId : null,
    documentId: typeof externalId === 'string' ? externalId : null,
  }
}
