import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Runtime, createContext } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { testClock } from '#test/support/clock.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { campaignStatuses } from '../modules/campaigns/public.ts'
import { isPassword } from '../modules/people/password.ts'
import { findDefaultSender, missingOf, openAccount } from '../modules/senders/public.ts'
import { openRuntime } from '../runtime.ts'
import { type SeedProgress, type SeededWorkspace, demoCount, findDemo, seedDemo } from './seed-demo.ts'

const now = '2026-03-02T15:00:00.000Z'

let runtime: Runtime
let databaseUrl: string
let workspaces: SeededWorkspace[]
const progress: SeedProgress[] = []

const rows = (text: string, values: unknown[] = []) =>
  asOwner<Record<string, unknown>>(databaseUrl, text, values)

/** A query with the brokerage's workspace ID as `$1`. */
const ofBrokerage = (text: string) => rows(text, [workspaces[0]?.id])

beforeAll(async () => {
  databaseUrl = await freshDatabase('seed')
  runtime = openRuntime({
    databaseUrl,
    appSecrets: ['a secret that only the tests know, long enough'],
    clock: testClock(now),
    log: createLog('silent'),
    checkRows: true,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
    origin: () => 'http://127.0.0.1:8080',
  })
  workspaces = (await seedDemo(runtime, { onProgress: (step) => progress.push(step) })).workspaces
})

afterAll(() => runtime.database[Symbol.asyncDispose]())

test('the demo has a brokerage and a small workspace, with history up to the last few days', async () => {
  const [counts] = await rows(`select
    (select count(*)::int from offices) as offices, (select count(*)::int from teams) as teams,
    (select array_agg(n order by n) from (select count(*)::int as n from members group by workspace_id) one) as members,
    (select array_agg(n order by n) from (select count(*)::int as n from contacts group by workspace_id) one) as contacts`)
  expect(counts).toEqual({ offices: 3, teams: 5, members: [1, 12], contacts: [8, 74] })
  expect(progress.at(-1)).toEqual({ label: 'Juniper Street Homes', done: 8, total: 8 })

  const stages = await ofBrokerage(
    'select stage from contacts where workspace_id = $1 group by stage having count(*) > 2',
  )
  expect(stages).toHaveLength(7)
  const [reach] = await rows(`select min(occurred_at) < timestamptz '${now}' - interval '500 days' as early,
    max(occurred_at) < timestamptz '2026-03-02' as over, max(occurred_at) > timestamptz '${now}' - interval '4 days' as recent,
    count(distinct name)::int as names from events
    where name <> all ('{member.joined,member.added,member.availability_changed,office.created,team.created,
      team.member_added,api_key.created,routing_rules.changed,connection.created,sender.created,template.created,compliance_settings.updated,
      persona.created,persona.updated}')`)
  expect(reach).toEqual({ early: true, over: true, recent: true, names: 51 })
})

test('every open stage has deals, and agents have past and upcoming appointments and tasks', async () => {
  const brokerage = workspaces[0]?.id
  const count = async (what: string) =>
    Number((await rows(`select count(*) from ${what} and workspace_id = $1`, [brokerage]))[0]?.['count'])
  expect(await count('deals where true')).toBeGreaterThan(25)
  expect(await count("deals where status = 'won' and commission is not null")).toBeGreaterThan(4)
  expect(await count("deals where status = 'lost' and lost_reason is not null")).toBeGreaterThan(0)
  const stages =
    await ofBrokerage(`select s.name from pipeline_stages s join pipelines p on p.id = s.pipeline_id where s.workspace_id = $1 
     and s.outcome = 'open' and not exists (select from deals d where d.stage_id = s.id and d.status = 'open')`)
  expect(stages).toEqual([])
  expect(await count(`appointments where outcome is not null`)).toBeGreaterThan(30)
  expect(await count(`appointments where starts_at > '${now}' and outcome is null`)).toBeGreaterThan(15)
  expect(await count(`tasks where status = 'completed'`)).toBeGreaterThan(30)
  expect(await count(`tasks where status = 'open'`)).toBeGreaterThan(20)
})

test('the AI has sent two responses, handed off one contact, and awaits one approval', async () => {
  const said = await ofBrokerage(
    `select status, count(*)::int from messages where workspace_id = $1 and ai_generated group by 1 order by 1`,
  )
  expect(said).toEqual([
    { status: 'delivered', count: 2 },
    { status: 'pending_approval', count: 1 },
  ])
  const left =
    await ofBrokerage(`select c.ai_paused_reason from events e join contacts c on c.id = e.timeline_id and c.workspace_id = e.workspace_id
     where e.workspace_id = $1 and e.name = 'ai.handed_off'`)
  expect(left).toEqual([{ ai_paused_reason: 'handoff' }])
})

test('enrollments are in every status and have been exited for many reasons', async () => {
  const [seen] = await ofBrokerage(`with mine as (select * from enrollments where workspace_id = $1) select
      (select array_agg(distinct status order by status) from mine) as statuses,
      (select array_agg(distinct reason order by reason) from mine where status = 'exited') as reasons,
      (select array_agg(distinct waiting_for ->> 'kind' order by waiting_for ->> 'kind') from mine where status = 'running') as waits,
      (select array_agg(distinct outcome order by outcome) from enrollment_steps) as outcomes,
      (select count(*)::int from enrollment_steps where at < planned_at) as early,
      (select count(*)::int between 1 and 60 from tasks
        where workspace_id = $1 and created_by ->> 'type' = 'automation' and status = 'open') as few`)
  expect(seen).toEqual({
    statuses: ['cancelled', 'completed', 'exited', 'failed', 'paused', 'queued', 'running'],
    reasons: ['conditions', 'gone', 'opted_out', 'replied', 'trash'],
    waits: expect.arrayContaining(['date', 'wait']),
    outcomes: expect.arrayContaining(['blocked', 'deferred', 'done', 'failed']),
    early: 0,
    few: true,
  })
})

test('there is a campaign in each status, with sent, blocked, and waiting messages', async () => {
  const [seen] = await ofBrokerage(`select
    (select array_agg(status order by status) from campaigns where workspace_id = $1) as statuses,
    count(*) filter (where status = 'sent') > 4 as sent, count(*) filter (where status = 'blocked') > 2 as blocked,
    (select count(*) > 4 from backfill_contacts where workspace_id = $1 and status = 'waiting') as waiting
    from messages where workspace_id = $1 and campaign_id is not null`)
  expect(seen).toEqual({ statuses: campaignStatuses.toSorted(), sent: true, blocked: true, waiting: true })
})

test('there are daily and weekly saved searches, and one contact has unsubscribed', async () => {
  const searches = await ofBrokerage(
    `select frequency, paused_reason, count(*)::int from saved_searches where workspace_id = $1 group by 1, 2 order by 1, 2`,
  )
  expect(searches).toEqual([
    { frequency: 'daily', paused_reason: 'opted_out', count: 1 },
    { frequency: 'daily', paused_reason: null, count: 3 },
    { frequency: 'weekly', paused_reason: null, count: 1 },
  ])
})

test('about 25 varied listings include price reductions and open houses next week', async () => {
  const [seen] =
    await ofBrokerage(`select count(*)::int between 18 and 35 as many, count(distinct status)::int > 4 as varied,
      count(distinct property_type)::int as types, count(distinct city)::int > 4 as spread,
      count(*) filter (where status = 'active')::int > 4 as offered,
      count(*) filter (where json_array_length(price_history) > 1)::int > 4 as reduced,
      count(*) filter (where status = 'active' and list_price < original_list_price)::int > 0 as now_cheaper,
      count(*) filter (where fair_housing ->> 'status' <> 'clear')::int as flagged
    from listings where workspace_id = $1`)
  expect(seen).toEqual({
    many: true,
    varied: true,
    types: 4,
    spread: true,
    offered: true,
    reduced: true,
    now_cheaper: true,
    flagged: 0,
  })
  const upcoming = await rows(
    `select distinct workspace_id from listing_open_houses join listings using (workspace_id)
     where listings.id = listing_id and status = 'active' and starts_at between '${now}' and timestamptz '${now}' + interval '7 days'`,
  )
  expect(upcoming.map(({ workspace_id }) => workspace_id)).toContain(workspaces[0]?.id)
})

test('deals have signed, declined, and draft documents', async () => {
  const documents =
    await ofBrokerage(`select d.status, count(*)::int, bool_and(d.deal_id is not null and p.document_id is not null) as named
     from documents d left join document_persons p on p.document_id = d.id and p.person like 'c%' and length(p.person) = 25
     where d.workspace_id = $1 group by 1 order by 1`)
  expect(documents).toEqual([
    { status: 'declined', count: 1, named: true },
    { status: 'draft', count: 3, named: true },
    { status: 'signed', count: 2, named: true },
  ])
})

test('nothing in the demo can reach a real person', async () => {
  const real = await rows(`select phone, email from contacts
    where phone !~ '^\\+1[2-9][0-9]{2}55501[0-7][0-9]$' or email !~ '^[a-z.0-9]+@[a-z]+\\.example$'`)
  expect(real).toEqual([])
  expect(
    await rows(`select email from members where phone is null or phone !~ '^\\+1618555[0-9]{4}$'`),
  ).toEqual([])
  expect(await rows(`select email from members where email !~ '^[a-z]+@[a-z]+\\.example$'`)).toEqual([])
  const leads = await rows(`select l.id from leads l left join lead_consents c on c.lead_id = l.id
    where l.phone !~ '^\\+1[2-9][0-9]{2}55501[0-9]{2}$' or l.email !~ '^[a-z.0-9]+@[a-z]+\\.example$'
      or c.ip !~ '^203\\.0\\.113\\.' or c.source_url !~ '^https://[a-z.]+\\.example/'`)
  expect(leads).toEqual([])
  const notes = await rows(`select data->>'body' as body from events where name = 'note.added'
    union all select notes from contacts where notes is not null
    union all select context->>'message' from leads`)
  expect(notes.length).toBeGreaterThan(150)
  expect(notes.filter(({ body }) => /[{}]|undefined|null|\d{3}-\d{4}|@/.test(String(body)))).toEqual([])
})

test('people and the AI have held calls with many dispositions, some with transcripts', async () => {
  const calls = await rows(
    `select handled_by, disposition from calls where status <> 'completed' or duration_seconds > 0`,
  )
  expect(calls.length).toBeGreaterThan(15)
  expect(new Set(calls.map(({ handled_by }) => handled_by))).toEqual(new Set(['ai', 'human']))
  expect(new Set(calls.map(({ disposition }) => disposition)).size).toBeGreaterThan(8)
  const said = await rows(
    'select transcript::text as said from call_transcripts union all select summary from calls',
  )
  expect(said.length).toBeGreaterThan(10)
  expect(said.filter(({ said: text }) => /\{[a-z]+\}|undefined/.test(String(text)))).toEqual([])
})

test('every channel has a complete default sender on the simulated carrier', async () => {
  for (const { id } of workspaces) {
    const actor = { type: 'system', id: null, name: 'test' }
    const ctx = createContext(runtime, { workspaceId: id, actor, scopes: new Set() })
    for (const channel of ['SMS', 'WHATSAPP', 'EMAIL'] as const) {
      const sender = orNotFound(await findDefaultSender(ctx.db, channel))
      expect(missingOf(sender)).toEqual([])
      expect(await openAccount(ctx, sender.connection_id)).toMatchObject({ simulated: true })
    }
  }
  const statuses = await rows('select distinct status from message_templates')
  expect(statuses).toEqual([{ status: 'APPROVED' }])
  expect(await rows('select c.id from senders s join contacts c on c.phone = s.address')).toEqual([])
})

test('there is much to do today: meetings, tasks due and overdue, and threads that wait for a response', async () => {
  const day = now.slice(0, 10)
  const [seen] =
    await ofBrokerage(`with mine as (select id from members where workspace_id = $1 and role = 'owner') select
    (select count(*)::int from appointments where workspace_id = $1 and host_id = (select id from mine)
      and starts_at between '${day}' and timestamptz '${day}' + interval '24 hours') as owners_meetings,
    (select count(distinct host_id)::int from appointments where workspace_id = $1
      and starts_at between '${day}' and timestamptz '${day}' + interval '24 hours') as hosts,
    (select count(*)::int > 4 from tasks where workspace_id = $1 and status = 'open' and due_at < '${day}') as overdue,
    (select count(*)::int > 4 from tasks where workspace_id = $1 and status = 'open'
      and due_at between '${day}' and timestamptz '${day}' + interval '24 hours') as due,
    (select count(*)::int > 7 from conversations where workspace_id = $1
      and last_inbound_at > coalesce(last_outbound_at, '-infinity') and last_inbound_at > timestamptz '${day}' - interval '30 hours') as waiting,
    (select count(*)::int > 5 from leads where workspace_id = $1 and status in ('new', 'assigned', 'claimed', 'offered')
      and created_at > timestamptz '${day}' - interval '32 hours') as unanswered`)
  expect(seen).toEqual({
    owners_meetings: 4,
    hosts: 11,
    overdue: true,
    due: true,
    waiting: true,
    unanswered: true,
  })
})

test('outbound messages are delivered, undelivered, or blocked with a reason', async () => {
  const statuses = await rows(
    "select status from messages where direction = 'OUTBOUND' group by 1 order by 1",
  )
  expect(statuses.map(({ status }) => status)).toEqual([
    'blocked',
    'delivered',
    'pending_approval',
    'sent',
    'undelivered',
  ])
  const reasons = await rows(
    "select distinct compliance ->> 'reason' as reason from messages where status = 'blocked'",
  )
  expect(reasons.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['consent_missing', 'quiet_hours']),
  )
  expect(await rows('select from outbox')).toEqual([])
  const received = await rows("select from messages where direction = 'INBOUND' and contact_id is not null")
  expect(received.length).toBeGreaterThan(5)
  expect(await rows('select from conversations')).not.toEqual([])
})

test('the stage of every contact matches its events, and its owner is active', async () => {
  const contacts = await rows(`select c.stage, coalesce(
      (select e.data->>'to' from events e where e.workspace_id = c.workspace_id and e.timeline_id = c.id and e.name = 'contact.stage_changed' order by e.id desc limit 1),
      (select e.data->>'stage' from events e where e.workspace_id = c.workspace_id and e.timeline_id = c.id and e.name = 'contact.created')) as created_stage
    from contacts c`)
  expect(contacts.filter(({ stage, created_stage }) => stage !== created_stage)).toEqual([])
  const tooEarly =
    'select e.id from events e join contacts c on c.id = e.timeline_id where e.occurred_at < c.created_at'
  expect(await rows(tooEarly)).toEqual([])
  const ofThoseWhoLeft = 'select c.id from contacts c join members m on m.id = c.owner_id where not m.active'
  expect(await rows(ofThoseWhoLeft)).toEqual([])
})

test('leads arrive with consents, and the routing rules assign them to agents', async () => {
  const [set] = await ofBrokerage(
    'select version, jsonb_array_length(rules) as rules from routing_rule_sets where workspace_id = $1 order by 1 desc',
  )
  expect(set).toEqual({ version: 2, rules: 9 })
  const used = await ofBrokerage(
    'select rule_id from routing_decisions where workspace_id = $1 and rule_id is not null group by 1',
  )
  expect(used).toHaveLength(10)
  const [seen] = await rows(`select count(*)::int > 25 as many, count(distinct status)::int as statuses,
      count(*) filter (where waits_for = 'pond') > 0 as pond, max(created_at) > timestamptz '${now}' - interval '3 days' as fresh,
      count(*) filter (where assignee_id is null and created_at < timestamptz '${now}' - interval '30 days' and waits_for <> 'pond')::int as lost
    from leads`)
  expect(seen).toEqual({ many: true, statuses: 6, pond: true, fresh: true, lost: 0 })
  const consents = await rows(`select (c.lead_id is null) as none, (c.ip is null) as bare from leads l
    left join lead_consents c on c.lead_id = l.id group by 1, 2`)
  expect(consents).toHaveLength(3)
  const wrong = await rows(`select l.id from leads l join contacts c on c.id = l.contact_id
    join members m on m.id = l.assignee_id where l.status not in ('converted', 'disqualified')
      and (not m.active or c.stage in ('ACTIVE_CLIENT', 'TRASH'))`)
  expect(wrong).toEqual([])
  const loads = `select a.member_id from routing_agents a where a.open_leads <> (select count(*) from leads l
    where l.assignee_id = a.member_id and l.status not in ('converted', 'disqualified'))`
  expect(await rows(loads)).toEqual([])
})

const hashOf = (hashed: Record<string, unknown>[], email: string) =>
  String(hashed.find((one) => one['email'] === email)?.['password'])

test('seeding again keeps the workspaces, adds an API key, and resets the owners’ passwords', async () => {
  const second = (await seedDemo(runtime, {})).workspaces
  expect(second.map(({ id }) => id)).toEqual(workspaces.map(({ id }) => id))
  expect(second.map(({ api_key }) => api_key)).not.toEqual(workspaces.map(({ api_key }) => api_key))
  expect(second.map(({ owner }) => owner.email)).toEqual(workspaces.map(({ owner }) => owner.email))
  const hashed = await rows('select email, password from people')
  expect(hashed).toHaveLength(demoCount)
  for (const { email, password } of second.map(({ owner }) => owner))
    expect(await isPassword(password, hashOf(hashed, email))).toBe(true)
  for (const { email, password } of workspaces.map(({ owner }) => owner))
    expect(await isPassword(password, hashOf(hashed, email))).toBe(false)
  expect(await findDemo(runtime)).toHaveLength(demoCount)
})
