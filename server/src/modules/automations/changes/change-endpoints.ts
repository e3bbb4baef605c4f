import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
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
    'Moves the active enrollments whose step is in that version too, with the same key and of the same type, in batches: `GET /automation-changes/{id}` shows how far it has come, and those that it leaves. What waits keeps the end of its wait. An enrollment that has not begun begins with the first step of that version.',
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
  summary: 'List the changes of many enrollments',
  description:
    'What was done about all enrollments of an automation at once: pauses, resumptions, cancellations, migrations.',
  item: changeRecord.Record,
  filters: changeFilters,
  async rows(ctx, { params, query, page }) {
    found(await findAutomationOfOwn(ctx.db, params.id))
    const changes = await listChanges(ctx.db, params.id, query, page)
    return Promise.all(changes.map((change) => presentChange(ctx, change)))
  },
})

export const getAutomationChange = endpoint('GET /automation-changes/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a change of many enrollments',
  responses: { 200: changeRecord.Record },
  handle: async (ctx, { params }) => ok(await presentChange(ctx, found(await findChange(ctx.db, params.id)))),
})
