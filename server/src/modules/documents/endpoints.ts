import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { createDocument } from './create-document.ts'
import { documentRecord } from './document.ts'
import { documentFilters, findDocument, listDocuments } from './queries.ts'
import { Document, DocumentDraft, VoidRequest, presentDocument } from './schemas.ts'
import { updateDocument } from './update-document.ts'
import { voidDocument } from './void-document.ts'

export const getDocuments = listEndpoint('GET /documents', {
  scope: 'deals:read',
  summary: 'List documents',
  description: 'Newest first. Filter by deal, by contact, or by status.',
  item: Document,
  filters: documentFilters,
  rows: (ctx, { query, page }) => listDocuments(ctx.db, query, page),
  present: presentDocument,
})

export const getDocumentCount = countEndpoint(getDocuments)

export const postDocument = endpoint('POST /documents', {
  scope: 'deals:write',
  summary: 'Get a document signed, or attach one',
  description:
    "Creates a document from a provider's template and sends it to its signers, or attaches a document that was created at the provider. Both happen after the response. `status` shows the progress, and `error` shows what went wrong.",
  body: DocumentDraft,
  responses: { 201: Document },
  fields: true,
  errors: {
    409: '`contact_erased`: a signer has been erased; `document_attached`: the document is already attached.',
  },
  handle: async (ctx, { body }) => created(presentDocument(await createDocument(ctx, body), ctx)),
})

export const getDocument = endpoint('GET /documents/{id}', {
  scope: 'deals:read',
  summary: 'Retrieve a document',
  description:
    '`status` and `signers` say who has signed. `file_url` is a new link to the file that works for five minutes.',
  responses: { 200: Document },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(presentDocument(orNotFound(await findDocument(ctx.db, params.id)), ctx)),
})

export const patchDocument = endpoint('PATCH /documents/{id}', {
  scope: 'deals:write',
  summary: 'Update a document',
  description: "Changes only Gable's record. The document that the signers received does not change.",
  body: documentRecord.Patch,
  responses: { 200: Document },
  fields: true,
  errors: { 409: '`document_erased`: the title has been erased together with a contact.' },
  handle: async (ctx, { params, body }) =>
    ok(presentDocument(await updateDocument(ctx, params.id, body), ctx)),
})

export const postVoid = endpoint('POST /documents/{id}/void', {
  scope: 'deals:write',
  summary: 'Void a document',
  description:
    'Ends a document that is waiting for signatures, also at the provider. It becomes `voided` once the provider has voided it. If the last signer signs first, it becomes `signed`. Voiding it again changes nothing.',
  body: VoidRequest,
  responses: { 200: Document },
  fields: true,
  errors: { 409: '`document_closed`: the document is signed or declined.' },
  handle: async (ctx, { params, body }) =>
    ok(presentDocument(await voidDocument(ctx, params.id, body.reason ?? null), ctx)),
})
