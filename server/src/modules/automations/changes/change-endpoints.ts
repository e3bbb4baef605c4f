import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { accepted, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findAutomationOfOwn } from '../queries.ts'
import { changeFilters, findChange, listChanges } from './change-queries.ts'
import { changeRecord } from './change.ts'
import { migrateAutomation, presentChange } from './start-change.ts'

export const postAutomationMigrate = endpoint('POST /automations/{id}/migrate', {
  scope: 'automations:write',
  summary: 'Move enrollments to another version',
  description:
    'Moves active enrollments to another version, in batches. An enrollment can move if its current step exists in that version with the same key and type. `GET /automation-changes/{id}` shows the progress, and the enrollments that could not move. Enrollments that are waiting keep the end of their wait. An enrollment that has not started starts with the first step of that version.',
  body: Type.Object(
    { to: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A published version.' }) },
    { title: 'AutomationMigration', additionalProperties: false, examples: [{ to: 1 }] },
  ),
  responses: { 202: changeRecord.Record },
  handle: async (ctx, { params, body }) =>
    accepted(await presentChange(ctx, await migrateAutomation(ctx, params.id, body.to))),
})

export const getAutomationChanges = listEndpoint('GET /automations/{id}/changes', {
  scope: 'automations:read',
  summary: 'List bulk changes of enrollments',
  description:
    'Lists the changes that applied to all enrollments of an automation: pauses, resumptions, cancellations, and migrations.',
  item: changeRecord.Record,
  filters: changeFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findAutomationOfOwn(ctx.db, params.id))
    const changes = await listChanges(ctx.db, params.id, query, page)
    return Promise.all(changes.map((change) => presentChange(ctx, change)))
  },
})

export const getAutomationChange = endpoint('GET /automation-changes/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a bulk change of enrollments',
  responses: { 200: changeRecord.Record },
  handle: async (ctx, { params }) =>
    ok(await presentChange(ctx, orNotFound(await findChange(ctx.db, params.id)))),
})
