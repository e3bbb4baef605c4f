import { isDeepStrictEqual } from 'node:util'
import { startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '#kernel/events/event.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { type ShownEvent, calendarFile } from '../../src/modules/calendar/event-file.ts'
import { fixtures } from '../support/all-fixtures.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { idOf } from '../support/fixtures.ts'
import { type Schema, formats, widestValues } from './hostile-values.ts'
import { keyOf } from './named-values.ts'
import { bodyFor, makeReferent, membersOf, pathToNew } from './requests.ts'

const opened = new AsyncDisposableStack()
let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now() }))
  app = opened.use(await testApp({ simulatedCarrierUrl: carrier.origin }))
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(() => opened.disposeAsync())

type Body = Record<string, unknown>

/** Members of a PATCH body that are no fields of the record, with the reason. */
const noFields: Record<string, string> = {
  'appointments.if_free': 'It is a condition of the request.',
  'deals.place': 'It is a position among the deals of a stage.',
  'pipelines.version': 'It is a condition of the request.',
  'pipelines.move_to': 'It says where the deals of a removed stage go.',
  'connections.secret': 'It is not shown.',
}

/** Patches that cannot be made from the schema of the field alone. Gets the record as it is. */
const patchesOf: Record<string, (before: Body) => Body | Promise<Body>> = {
  'agents.paused_until': () => ({ paused: true, paused_until: '2056-07-01T08:00:00.000Z' }),
  'agents.timezone': () => ({ timezone: 'America/Denver' }),
  'appointments.starts_at': ({ ends_at }) => ({ starts_at: '2026-11-24T15:00:00.000Z', ends_at }),
  'appointments.ends_at': ({ starts_at }) => ({ starts_at, ends_at: '2026-11-24T18:00:00.000Z' }),
  'automations.archived': () => ({ archived: true }),
  'contacts.tags': ({ tags }) => ({ tags: [...(tags as string[]), 'vip'] }),
  'contacts.external_ids': () => ({ external_ids: [{ system: 'crm', id: 'a-1' }] }),
  'campaigns.sender_id': async () => ({ sender_id: await emailSender() }),
  'deals.stage_id': async ({ pipeline_id, stage_id }) => {
    const { stages } = (await agent.get(`/pipelines/${String(pipeline_id)}`)).body as { stages: Body[] }
    return { stage_id: stages.find(({ id }) => id !== stage_id)?.['id'] }
  },
  'deals.contact_ids': async () => ({ contact_ids: [await contact()] }),
  'deals.participants': async () => ({ participants: [{ role: 'lender', contact_id: await contact() }] }),
  'pipelines.archived': () => ({ archived: true }),
  'pipelines.stages': ({ stages, version }) => ({ version, stages: (stages as Body[]).toReversed() }),
  'senders.registration': () => ({ registration: { domain_authenticated: false } }),
}

const contact = async () => idOf(await agent.post('/contacts', { first_name: 'Bo' }))

const emailSender = async () =>
  idOf(
    await agent.post('/senders', {
      kind: 'email',
      address: 'campaigns@lantern.example',
      registration: { domain_authenticated: true },
    }),
  )

/** The patch that takes a change back, where it is not the earlier value of the field. */
const undoOf: Record<string, (before: Body, after: Body) => Body> = {
  'appointments.starts_at': ({ starts_at, ends_at }) => ({ starts_at, ends_at }),
  'appointments.ends_at': ({ starts_at, ends_at }) => ({ starts_at, ends_at }),
  'automations.archived': () => ({ archived: false }),
  'pipelines.archived': () => ({ archived: false }),
  'pipelines.stages': ({ stages }, { version }) => ({ stages, version }),
  'agents.paused_until': () => ({ paused: false }),
}

/** Fields that show another value while none is stored: the event shows null. */
const derived: Record<string, string> = { 'deals.probability': 'It is that of the stage.' }

/** Changes that cannot be taken back, with the reason. */
const oneWay: Record<string, string> = {
  'appointments.outcome': 'An outcome is corrected, not cleared.',
  'leads.status': 'A lead that a member has worked on is not new again.',
  'enrollments.status': 'An enrollment that waits is active, and a paused one resumes as running.',
  'pipelines.is_default': 'A workspace has a default pipeline at any time.',
}

/** Where a change is shown: the event, and the name of the field in its list of changes, if it has such a list. */
interface Shown {
  event: string
  as?: string
}

/** Fields with an event of their own, and those that go by another name. All others are in one list of changes. */
const shownAs: Record<string, Shown | { forth: Shown; back: Shown }> = {
  'appointments.starts_at': { event: 'appointment.rescheduled' },
  'appointments.ends_at': { event: 'appointment.rescheduled' },
  'appointments.outcome': { event: 'appointment.outcome' },
  'automations.archived': {
    forth: { event: 'automation.archived' },
    back: { event: 'automation.unarchived' },
  },
  'backfills.status': { event: 'backfill.status_changed' },
  'contacts.stage': { event: 'contact.stage_changed' },
  'contacts.tags': { forth: { event: 'contact.tag_added' }, back: { event: 'contact.updated', as: 'tags' } },
  'deals.status': { event: 'deal.stage_changed' },
  'deals.pipeline_id': { event: 'deal.stage_changed' },
  'deals.stage_id': { event: 'deal.stage_changed' },
  'deals.contact_id': { event: 'deal.updated', as: 'contact_ids' },
  'enrollments.status': { event: 'enrollment.status_changed' },
  'leads.status': { event: 'lead.status_changed' },
  'listings.status': { event: 'listing.status_changed' },
  'listings.list_price': { event: 'listing.price_changed' },
  'members.role': { event: 'member.role_changed' },
  'members.team_lead': {
    forth: { event: 'member.team_lead_assigned' },
    back: { event: 'member.team_lead_removed' },
  },
  'members.active': { forth: { event: 'member.deactivated' }, back: { event: 'member.activated' } },
  'pipelines.archived': { event: 'pipeline.updated', as: 'archived_at' },
  'tasks.status': { forth: { event: 'task.completed' }, back: { event: 'task.updated', as: 'status' } },
}

/** Fields that change together with another one. Every change increases `updated_at`, and of some records the version. */
const alongside: Record<string, readonly string[]> = {
  'agents.paused_until': ['paused'],
  'appointments.starts_at': ['reschedule_count'],
  'appointments.ends_at': ['reschedule_count'],
  'appointments.outcome': ['outcome_at', 'status'],
  'automations.archived': ['archived_at'],
  'automations.definition': ['draft_version'],
  'calls.summary': ['summary_source'],
  'contacts.address': ['address_source'],
  'contacts.phone': ['phone_e164'],
  'contacts.ai_auto_response': ['ai_paused_reason'],
  'deals.contact_id': ['contact_ids'],
  'deals.contact_ids': ['contact_id'],
  'deals.pipeline_id': ['order_key', 'stage_changed_at', 'stage_id'],
  'deals.stage_id': ['order_key', 'probability', 'stage_changed_at'],
  'deals.status': ['close_date', 'order_key', 'probability', 'stage_changed_at', 'stage_id'],
  'enrollments.status': ['next'],
  'listings.list_price': ['price_history'],
  'listings.status': ['original_list_price'],
  'pipelines.archived': ['archived_at'],
  'saved-searches.active': ['next_at'],
  'saved-searches.frequency': ['next_at'],
  'tasks.status': ['completed_at'],
  'webhooks.paused': ['status'],
}

/** Fields that do not return to their earlier value when the change is taken back, with the reason. */
const stays: Record<string, Record<string, string>> = {
  'appointments.ends_at': { reschedule_count: 'It counts.' },
  'appointments.starts_at': { reschedule_count: 'It counts.' },
  'automations.definition': { draft_version: 'Nothing of it was published.' },
  'calls.summary': { summary_source: 'A person removed the summary.' },
  'contacts.ai_auto_response': { ai_paused_reason: 'A person paused it, not the system.' },
  'deals.pipeline_id': {
    order_key: 'A deal enters a stage at its end.',
    stage_changed_at: 'It is the time of the last change.',
  },
  'deals.stage_id': {
    order_key: 'A deal enters a stage at its end.',
    stage_changed_at: 'It is the time of the last change.',
  },
  'deals.status': {
    close_date: 'It may be in a contract.',
    order_key: 'A deal enters a stage at its end.',
    stage_changed_at: 'It is the time of the last change.',
  },
  'listings.list_price': { price_history: 'It has both changes.' },
  'listings.status': { original_list_price: 'It is that of the first publication.' },
}

const versions = new Set(['updated_at', 'version'])

const patches = endpoints.filter(
  ({ method, path }) =>
    method === 'PATCH' && endpoints.some((one) => one.method === 'GET' && one.path === path),
)
const nounOf = ({ path }: Endpoint) => path.split('/')[1] ?? ''

const alternativesOf = (schema: Schema): Schema[] => [
  schema,
  ...(schema.anyOf ?? []),
  ...(schema.allOf ?? []),
]

/** Patches of one field that may be valid. */
async function candidates(endpoint: Endpoint, name: string, schema: Schema, before: Body): Promise<Body[]> {
  const make = patchesOf[`${nounOf(endpoint)}.${name}`]
  if (make !== undefined) return [await make(before)]
  const all = alternativesOf(schema)
  const noun = all.map((one) => one['x-references']).find((one) => one !== undefined)
  if (noun !== undefined)
    return [{ [name]: await makeReferent(name, { ...schema, 'x-references': noun }, workspace) }]
  const example = bodyFor(endpoint)?.[name]
  const known = fixtures.values[keyOf(endpoint, name)] ?? []
  const widest = all.flatMap((one) => formats[one.format ?? '']?.taken ?? widestValues(one))
  return (
    [...(example === undefined ? [] : [example]), ...known, ...widest]
      // An empty text is none.
      .filter((value) => value !== '' && !isDeepStrictEqual(value, before[name]))
      .map((value) => ({ [name]: value }))
  )
}

interface EventRow {
  name: string
  data: Body & { changes?: Change[]; changed?: string[]; fields?: string[]; from?: unknown; to?: unknown }
}

/** Sends the patch, and reads the record and the events that the patch wrote. */
async function send(path: string, patch: Body) {
  app.clock.advance(60_000)
  const since = app.clock.now()
  const { status, body: response } = await agent.patch(path, patch)
  const { body, headers } = await agent.get(path)
  const { id = workspace.id } = body
  const events = await asOwner<EventRow>(
    app.databaseUrl,
    `select name, data from events where workspace_id = $1 and occurred_at >= $2 and data ->> 'id' = $3 order by id`,
    [workspace.id, since, id],
  )
  return { status, response, body, etag: headers.get('etag'), events }
}

/** Whether the event lists this field as changed; undefined if it lists nothing. */
function lists(
  { data: { changes, changed, fields, from, to } }: EventRow,
  field: string,
): boolean | undefined {
  const names = changes?.map((one) => one.field) ?? changed ?? fields
  if (names !== undefined) return names.includes(field)
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null) return undefined
  return !isDeepStrictEqual((from as Body)[field], (to as Body)[field])
}

/** Expects one event to show the change: in its list of changes with both values, or as the event of the field. */
function expectShown(
  events: readonly EventRow[],
  name: string,
  {
    shown,
    before,
    after,
    isDerived,
  }: { shown: Shown | undefined; before: Body; after: Body; isDerived: boolean },
) {
  const field = shown?.as ?? name
  const showing = events.filter((one) =>
    shown === undefined || shown.as !== undefined ? lists(one, field) : one.name === shown.event,
  )
  expect(
    showing.map((one) => one.name),
    `events that show ${field}`,
  ).toEqual([shown?.event ?? expect.any(String)])
  if (shown !== undefined && shown.as === undefined)
    expect(
      events.filter((one) => lists(one, name)),
      `events that list ${field}`,
    ).toEqual([])
  const change = showing[0]?.data.changes?.find((one) => one.field === field)
  if (change !== undefined && !isDerived && isPlain(before[field]) && isPlain(after[field]))
    expect(change).toEqual({ field, from: before[field], to: after[field] })
}

/** Whether an event shows the value as it is: it masks numbers and addresses, and shortens long texts. */
const isPlain = (value: unknown) => !/@|\+\d|\d-\d{4}"|.{200}/su.test(JSON.stringify(value ?? null))

/** What a calendar shows of an appointment, and the version by which it knows that something changed; nothing of other records. */
async function fileOf(path: string): Promise<{ version: number; text: string }> {
  const [row] = await asOwner<ShownEvent>(app.databaseUrl, 'select * from appointments where id = $1', [
    path.split('/').at(-1),
  ])
  const text =
    row === undefined ? '' : calendarFile(row).replaceAll(/^(?:SEQUENCE|DTSTAMP|LAST-MODIFIED).*$/gm, '')
  return { version: row?.sequence ?? 0, text }
}

describe.each(patches)('PATCH $path', (endpoint) => {
  test.each(membersOf(endpoint).filter(([name]) => !(`${nounOf(endpoint)}.${name}` in noFields)))(
    '%s changes alone, in one event, and back',
    async (name, schema) => {
      const key = `${nounOf(endpoint)}.${name}`
      const special = shownAs[key]
      const path = await pathToNew(endpoint, agent)
      const { body: before, headers } = await agent.get(path)
      const shownBefore = await fileOf(path)
      const rejected: unknown[] = []
      for (const patch of await candidates(endpoint, name, schema, before)) {
        const there = await send(path, patch)
        if (there.status !== 200) {
          rejected.push([patch, there.response['error']])
          continue
        }
        const { body: after } = there
        const file = await fileOf(path)
        if (file.text !== shownBefore.text) expect(file.version).toBeGreaterThan(shownBefore.version)
        const shown = Object.keys(there.response).filter((one) => one in after)
        for (const one of shown) expect(there.response[one], one).toEqual(after[one])
        const differing = Object.keys(after).filter((one) => !isDeepStrictEqual(after[one], before[one]))
        expect(differing.filter((one) => one !== name && !versions.has(one)).toSorted()).toEqual(
          alongside[key] ?? [],
        )
        if ('updated_at' in before) expect(differing).toContain('updated_at')
        if (headers.has('etag')) expect(there.etag).not.toBe(headers.get('etag'))
        const isDerived = key in derived
        expectShown(there.events, name, {
          shown: special && 'forth' in special ? special.forth : special,
          before,
          after,
          isDerived,
        })

        const again = await send(path, 'version' in patch ? { ...patch, version: after['version'] } : patch)
        expect([again.status, again.body, again.etag, again.events]).toEqual([200, after, there.etag, []])

        if (key in oneWay) return
        const back = await send(path, undoOf[key]?.(before, after) ?? { [name]: before[name] })
        expect(back.status, JSON.stringify(back.response)).toBe(200)
        const left = Object.keys(before).filter((one) => !isDeepStrictEqual(back.body[one], before[one]))
        expect(left.filter((one) => !versions.has(one)).toSorted()).toEqual(Object.keys(stays[key] ?? {}))
        expectShown(back.events, name, {
          shown: special && 'back' in special ? special.back : special,
          before: after,
          after: before,
          isDerived,
        })
        return
      }
      expect(rejected.slice(0, 3), 'no patch is accepted').toEqual([])
    },
  )
})

test('each exception is of a field that can be patched', () => {
  const fields = patches.flatMap((one) => membersOf(one).map(([name]) => `${nounOf(one)}.${name}`))
  for (const list of [noFields, patchesOf, undoOf, oneWay, shownAs, alongside, stays, derived])
    expect(fields).toEqual(expect.arrayContaining(Object.keys(list)))
})
