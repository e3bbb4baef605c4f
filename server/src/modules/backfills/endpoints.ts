import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findAutomationOfOwn } from '../automations/public.ts'
import {
  type Backfill,
  BackfillContactRow,
  BackfillDraft,
  PerHour,
  ShownBackfill,
  ofOwn,
  presentBackfill,
} from './backfill.ts'
import { createBackfill, updateBackfill } from './change-backfill.ts'
import {
  backfillFilters,
  backfillContactFilters,
  countBackfills,
  findBackfill,
  listBackfillContacts,
  listBackfills,
} from './queries.ts'

const shown = async ({ db }: Ctx, backfill: Backfill) =>
  presentBackfill(backfill, (await countBackfills(db, [backfill.id]))(backfill.id))

export const postBackfill = endpoint('POST /automations/{id}/backfills', {
  scope: 'automations:manage',
  summary: 'Enroll existing contacts',
  description:
    'Takes a snapshot of the contacts who match the conditions now, and enrolls them gradually, `per_hour`. Contacts who are already enrolled, or may not be enrolled again, are left out. If the first message may not be sent to a contact yet, the contact is enrolled as soon as it may. With the status `paused`, it only counts the contacts: Gable enrolls no one until you set the status to `running`.',
  body: BackfillDraft,
  fields: true,
  responses: { 201: ShownBackfill },
  errors: { 409: '`automation_disabled`: the automation is disabled and cannot enroll contacts.' },
  handle: async (ctx, { params, body }) =>
    created(await shown(ctx, await createBackfill(ctx, params.id, body))),
})

export const getBackfills = listEndpoint('GET /automations/{id}/backfills', {
  scope: 'automations:read',
  summary: 'List the backfills of an automation',
  description: 'A backfill enrolls existing contacts in the automation, at an hourly pace.',
  item: ShownBackfill,
  filters: backfillFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findAutomationOfOwn(ctx.db, params.id))
    const rows = await listBackfills(ctx.db, params.id, query, page)
    const countsOf = await countBackfills(
      ctx.db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => presentBackfill(row, countsOf(row.id)))
  },
})

export const getBackfill = endpoint('GET /backfills/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a backfill',
  description: 'Includes its progress.',
  fields: true,
  responses: { 200: ShownBackfill },
  handle: async (ctx, { params }) =>
    ok(await shown(ctx, orNotFound(ofOwn(await findBackfill(ctx.db, params.id))))),
})

export const patchBackfill = endpoint('PATCH /backfills/{id}', {
  scope: 'automations:manage',
  summary: 'Pause, resume, cancel, or pace a backfill',
  description:
    '`paused` stops enrolling contacts; counting goes on. `running` resumes at the same pace, without catching up on the pause. `cancelled` leaves out the contacts who are still waiting. Contacts who are enrolled stay enrolled. If you can access only your own contacts, this endpoint returns 404 for a backfill that includes other contacts.',
  body: Type.Object(
    {
      status: Type.Optional(Type.Enum(['paused', 'running', 'cancelled'])),
      per_hour: Type.Optional(PerHour),
    },
    { title: 'BackfillChange', additionalProperties: false, examples: [{ status: 'paused' }] },
  ),
  fields: true,
  responses: { 200: ShownBackfill },
  errors: { 409: '`backfill_ended`: the backfill has ended.' },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await updateBackfill(ctx, params.id, body))),
})

export const getBackfillContacts = listEndpoint('GET /backfills/{id}/contacts', {
  scope: 'automations:read',
  summary: 'List the contacts of a backfill',
  description: 'Includes the outcome for each contact.',
  item: BackfillContactRow,
  filters: backfillContactFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(ofOwn(await findBackfill(ctx.db, params.id)))
    return listBackfillContacts(ctx.db, params.id, query, page)
  },
})
