import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { officeRecord } from './office.ts'
import { createOffice, updateOffice } from './offices.ts'
import { findOffice, listOffices } from './team-queries.ts'

const scope = 'settings:manage'
const tag = 'Offices'

export const getOffices = listEndpoint('GET /offices', {
  scope: 'any',
  tag,
  summary: 'List offices',
  description: 'Offices group members. Routing rules can distribute leads within one.',
  item: officeRecord.Record,
  rows: ({ db }, { page }) => listOffices(db, page.keyset()),
})

export const postOffice = endpoint('POST /offices', {
  scope,
  tag,
  summary: 'Create an office',
  description: 'Assign members to the office with `office_id` in `PATCH /members/{id}`.',
  body: officeRecord.Draft,
  responses: { 201: officeRecord.Record },
  handle: async (ctx, { body }) => created(await createOffice(ctx, body)),
})

export const getOffice = endpoint('GET /offices/{id}', {
  scope: 'any',
  tag,
  summary: 'Retrieve an office',
  description: 'Members and teams name their office as `office_id`.',
  responses: { 200: officeRecord.Record },
  handle: async ({ db }, { params }) => ok(orNotFound(await findOffice(db, params.id))),
})

export const patchOffice = endpoint('PATCH /offices/{id}', {
  scope,
  tag,
  summary: 'Update an office',
  description: 'To make sure that you do not overwrite a change that you have not seen, send `If-Match`.',
  body: officeRecord.Patch,
  responses: { 200: officeRecord.Record },
  handle: async (ctx, { params, body }) => ok(await updateOffice(ctx, params.id, body)),
})
