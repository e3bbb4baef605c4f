import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import {
  act,
  app,
  create,
  getCampaign,
  openCampaigns,
  rejected,
  sendingEmails,
  summarize,
  texting,
} from '#test/scenes/campaigns.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { summarizeCampaignJob } from './jobs.ts'
import { summarizeMore } from './summarize.ts'
import { summaryHash } from './summary-hash.ts'

openCampaigns()
beforeEach(async () => {
  await sendingEmails()
  await crowd()
})

type Payload = Parameters<typeof summarizeCampaignJob.handle>[1]

const count = 1200
const contact = (n: number) => `cmm${String(n).padStart(22, '0')}`
const email = {
  channel: 'EMAIL',
  template: { subject: 'News', body: 'Hello {{contact.first_name|there}}.' },
  throttle_per_hour: 1000,
}

/**
 * Adds contacts. Of every ten, one has no address, one shares the address of another who may be hundreds of contacts earlier, one is in the
 * trash, one has another source, and six are ordinary.
 */
async function crowd(): Promise<void> {
  const { id } = texting.workspace
  await asOwner(
    app.databaseUrl,
    `insert into contacts (workspace_id, id, stage, source, email, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
     select $1, 'cmm' || lpad(n::text, 22, '0'), case n % 10 when 3 then 'TRASH' else 'LEAD' end,
       case n % 10 when 4 then 'Expo' else 'Website' end,
       case n % 10 when 1 then null when 2 then 'n' || n % 600 - 2 || '@lind.example' else 'n' || n || '@lind.example' end,
       '{}', 'active', '', '', '2026-02-02', '2026-02-02' from generate_series(0, $2::integer - 1) n`,
    [id, count],
  )
  await asOwner(
    app.databaseUrl,
    `insert into contact_points (workspace_id, contact_id, kind, value, source, since)
     select workspace_id, id, 'email', email, 'contact', created_at from contacts where workspace_id = $1 and email is not null`,
    [id],
  )
}

/** The summary that the records imply for all of them. */
const whole = {
  status: 'completed',
  at: '2026-03-02T16:00:00.000Z',
  scanned: count,
  recipients: count * 0.6,
  eligible: count * 0.6,
  deferred: 0,
  blocked: {},
  left_out: { email_missing: count / 10, shared_recipient: count / 10 },
}

/** The payloads of a campaign's waiting jobs, as a worker gets them. */
async function jobsOf(id: string): Promise<Payload[]> {
  const rows = await asOwner<{ payload: { payload: Payload } }>(
    app.databaseUrl,
    `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'summarize-campaign' and j.payload -> 'payload' ->> 'campaign_id' = $1 order by j.id`,
    [id],
  )
  return rows.map(({ payload }) => payload.payload)
}

/** Creates a draft and starts its summary. Returns the job that is to continue it. */
async function begun(more: object = {}): Promise<{ id: string; job: Payload }> {
  const id = await create({ ...email, ...more })
  await summarize(id)
  return { id, job: orNotFound((await jobsOf(id))[0]) }
}

const handle = (job: Payload, ctx: Ctx = texting.workspace.ctx) => summarizeCampaignJob.handle(ctx, job)
const oneStep = ({ campaign_id, ...of }: Payload) =>
  summarizeMore(texting.workspace.ctx, campaign_id, of, 'all')
const summaryOf = async (id: string) => (await getCampaign(id)).compliance_summary

test('a job continues a summary in batches of 500, and the result matches a direct count', async () => {
  const { id, job } = await begun()
  expect(await jobsOf(id)).toHaveLength(1)
  expect(await summaryOf(id)).toMatchObject({ status: 'running', scanned: 500, recipients: 300 })
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
  expect(await oneStep(job)).toBe(false)
  expect(await summaryOf(id)).toMatchObject({ status: 'running', scanned: 1000, recipients: 600 })
  expect(await oneStep(job)).toBe(true)
  expect(await summaryOf(id)).toEqual(whole)
  expect((await act(id, 'start')).body).toMatchObject({ status: 'running' })
})

test('the pace carries over between batches: at 500 an hour, a one-hour window fits 500', async () => {
  const schedule = { send_window: { from: '10:00', to: '11:00', zone: 'workspace' } }
  await texting.agent.patch('/workspace', { timezone: 'America/Chicago' })
  const { id, job } = await begun({ schedule, throttle_per_hour: 500 })
  await handle(job)
  expect(await summaryOf(id)).toEqual({ ...whole, eligible: 500, deferred: count * 0.6 - 500 })
})

const suppress = async (address: string) =>
  idOf(await texting.agent.post('/suppressions', { email: address, kind: 'opted_out' }))

test('a summary counts contacts as they are when scanned, and not those created later', async () => {
  const { id, job } = await begun()
  app.clock.advance(1000)
  await texting.agent.post('/contacts', { source: 'Website', email: 'late@lind.example' })
  // The first contact of each pair has already been scanned.
  for (const n of [5, 1105]) await texting.agent.patch(`/contacts/${contact(n)}`, { source: 'Expo' })
  for (const n of [6, 1106]) await texting.agent.delete(`/contacts/${contact(n)}`)
  for (const n of [7, 1107]) await suppress(`n${n}@lind.example`)
  await handle(job)
  expect(await summaryOf(id)).toEqual({
    ...whole,
    recipients: count * 0.6 - 2,
    eligible: count * 0.6 - 3,
    blocked: { opted_out: 1 },
  })
})

test('a summary survives a killed job, concurrent jobs, and a job that runs out of time', async () => {
  const { id, job } = await begun()
  const { ctx } = texting.workspace
  const killed: Ctx = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        await work(tx)
        throw new Error('Killed.')
      }),
  }
  await expect(handle(job, killed)).rejects.toThrow('Killed.')
  expect(await summaryOf(id)).toMatchObject({ scanned: 500 })
  let elapsed = 0
  const clock = { ...ctx.clock, elapsed: () => (elapsed += 15_000) }
  await handle(job, { ...ctx, clock })
  expect(await summaryOf(id)).toMatchObject({ status: 'running', scanned: 1000 })
  expect(await jobsOf(id)).toEqual([job, job])
  await Promise.all([handle(job), handle(job)])
  expect(await summaryOf(id)).toEqual(whole)
  await handle(job)
  expect(await summaryOf(id)).toEqual(whole)
})

test('a job of an earlier summary does not advance a later one', async () => {
  const { id, job } = await begun()
  app.clock.advance(1000)
  await summarize(id)
  await handle(job)
  expect(await summaryOf(id)).toMatchObject({ status: 'running', scanned: 500 })
  const [, later] = await jobsOf(id)
  await handle(orNotFound(later))
  expect(await summaryOf(id)).toEqual({ ...whole, at: later?.at })
})

test('changing the audience discards a running summary, even if the change is undone', async () => {
  const { id, job } = await begun()
  await texting.agent.patch(`/campaigns/${id}`, { name: 'Renamed', throttle_per_hour: 60 })
  expect(await oneStep(job)).toBe(false)
  const { audience } = await getCampaign(id)
  await texting.agent.patch(`/campaigns/${id}`, {
    audience: { field: 'contact.source', operator: 'eq', value: 'Expo' },
  })
  await handle(job)
  await texting.agent.patch(`/campaigns/${id}`, { audience })
  await handle(job)
  expect(await summaryOf(id)).toBeNull()
  expect(await rejected(act(id, 'start'))).toEqual([409, 'summary_needed'])
})

test('cancelling a campaign discards its running summary', async () => {
  const { id, job } = await begun()
  await act(id, 'cancel')
  await handle(job)
  expect(await getCampaign(id)).toMatchObject({ status: 'cancelled', compliance_summary: null })
})

test('a summary does not cover a campaign with another persona', async () => {
  const campaign = (await getCampaign(await create(email))) as Parameters<typeof summaryHash>[0]
  const hashOf = (persona_id: string) => summaryHash({ ...campaign, persona_id }, 'all')
  expect(hashOf('one')).not.toBe(hashOf('other'))
})
