import { defineError } from '#kernel/errors.ts'
import type { DocumentStatus } from './statuses.ts'

export const DocumentClosed = defineError('document_closed', 409, (status: DocumentStatus) => ({
  message: `The document is ${status}, so it cannot be voided.`,
}))

/** `id` is the document that already has the attachment, if it is within reach. */
export const DocumentAttached = defineError('document_attached', 409, (id: string | undefined) => ({
  message:
    id === undefined ? 'This document is attached already.' : `This document is attached already, as ${id}.`,
}))

export const DocumentErased = defineError('document_erased', 409, () => ({
  message: 'A contact among the signers has been erased, and the title with it.',
}))
