import type { CallbackSubject } from '../../modules/documents/ports.ts'
import { objectOf } from '../replies.ts'

/** The envelope in a Connect JSON message: inside `data`, or at the top level of aggregated messages. */
export function docusignSubject(body: Uint8Array): CallbackSubject {
  const message = objectOf({ body })
  const { data } = message
  const { envelopeId } = (typeof data === 'object' && data !== null ? data : message) as Record<
    string,
    unknown
  >
  return { providerDocumentId: typeof envelopeId === 'string' ? envelopeId : null, documentId: null }
}
