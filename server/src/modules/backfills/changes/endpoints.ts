import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { accepted, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import {
  disablings,
  automationRecord,
  presentAutomation,
  findAutomationOfOwn,
} from '../../automations/public.ts'
import { changeRecord } from './change.ts'
import { disableAutomation, enableAutomation } from './enable-automation.ts'
import { changeFilters, findChange, listChanges } from './queries.ts'
import { migrateAutomation, presentChange } from './start-change.ts'

export const postAutomationEnable = endpoint('POST /automations/{id}/enable', {
  scope: 'automations:write',
  summary: 'Enable an automation',
  description:
    'The automation can enroll contacts. Enrollments that paused when it was disabled resume with the rest of their waits. Gable resumes overdue enrollments at 200 per hour for each automation. `GET /automation-changes/{id}` with the `change_id` shows the progress.',
  responses: { 200: automationRecord.Record },
  errors: {
    409: '`automation_unpublished`: no version has been published; `automation_archived`: the automation is archived; `automation_cancelling`: its enrollments are being cancelled.',
  },
  handle: async (ctx, { params }) => ok(presentAutomation(await enableAutomation(ctx, params.id))),
})

export const postAutomationDisable = endpoint('POST /automations/{id}/disable', {
  scope: 'automations:write',
  summary: 'Disable an automation',
  description:
    'The automation stops enrolling contacts, and enrolled contacts take no further steps. Gable updates their status in batches; `GET /automation-changes/{id}` with the `change_id` shows the progress. To change `running`, disable the automation again.',
  body: Type.Object(
    {
      running: Type.Optional(
        Type.Enum(disablings, {
          description:
            'What happens to enrolled contacts. `pause` (default): they wait until the automation is enabled; `finish`: they continue; `cancel`: their enrollments end, and their messages that have not started sending are cancelled.',
        }),
      ),
    },
    { title: 'AutomationDisabling', additionalProperties: false, examples: [{ running: 'finish' }] },
  ),
  responses: { 200: automationRecord.Record },
  handle: async (ctx, { params, body }) =>
    ok(presentAutomation(await disableAutomation(ctx, params.id, body.running ?? 'pause'))),
})

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
  description:
    'A bulk change runs in the background. Poll it to see how many enrollments it has changed, and whether it is finished.',
  responses: { 200: changeRecord.Record },
  async handle(ctx, { params }) {
    const change = orNotFound(await findChange(ctx.db, params.id))
    // Those of a campaign are not shown.
    orNotFound(await findAutomationOfOwn(ctx.db, change.automation_id))
    return ok(await presentChange(ctx, change))
  },
})
