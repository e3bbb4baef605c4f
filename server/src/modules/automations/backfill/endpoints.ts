import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findAutomationOfOwn } from '../queries.ts'
import {
  type Backfill,
  BackfillContactRow,
  PerHour,
  ShownBackfill,
  backfillRecord,
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
    'Takes a snapshot of the contacts for whom the conditions hold now, and enrolls them little by little, `per_hour`. Contacts who are already in the automation, or may not enter again, are left out. A contact to whom the first message may not be sent yet enters as soon as it may.',
  body: backfillRecord.Draft,
  responses: { 201: ShownBackfill },
  errors: { 409: '`automation_disabled`: the automation takes no contacts.' },
  handle: async (ctx, { params, body }) =>
    created(await shown(ctx, await createBackfill(ctx, params.id, body))),
})

export const getBackfills = listEndpoint('GET /automations/{id}/backfills', {
  scope: 'automations:read',
  summary: 'List the backfills of an automation',
  item: ShownBackfill,
  filters: backfillFilters,
  async rows(ctx, { params, query, page }) {
    found(await findAutomationOfOwn(ctx.db, params.id))
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
  description: 'With how far it is.',
  fields: true,
  responses: { 200: ShownBackfill },
  handle: async (ctx, { params }) =>
    ok(await shown(ctx, found(ofOwn(await findBackfill(ctx.db, params.id))))),
})

export const patchBackfill = endpoint('PATCH /backfills/{id}', {
  scope: 'automations:manage',
  summary: 'Pause, resume, cancel or pace a backfill',
  description:
    '`paused` lets no more contacts enter; `running` lets it go on, without making up for the pause; `cancelled` leaves out those who wait. Who has entered stays in the automation. A backfill of contacts beyond your own does not exist for you here.',
  body: Type.Object(
    {
      status: Type.Optional(Type.Enum(['paused', 'running', 'cancelled'])),
      per_hour: Type.Optional(PerHour),
    },
    { title: 'BackfillChange', additionalProperties: false, examples: [{ status: 'paused' }] },
  ),
  responses: { 200: ShownBackfill },
  errors: { 409: '`backfill_ended`: it has ended.' },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await updateBackfill(ctx, params.id, body))),
})

export const getBackfillContacts = listEndpoint('GET /backfills/{id}/contacts', {
  scope: 'automations:read',
  summary: 'List the contacts of a backfill',
  description: 'With what became of each.',
  item: BackfillContactRow,
  filters: backfillContactFilters,
  async rows(ctx, { params, query, page }) {
    found(ofOwn(await findBackfill(ctx.db, params.id)))
    return listBackfillContacts(ctx.db, params.id, query, page)
  },
})
