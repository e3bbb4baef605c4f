import { readFile } from 'node:fs/promises'
import {
  type RegisteredApp,
  connect,
  post as postForm,
  refreshForm,
  registerApp,
} from '@gable/server/test/oauth/scene.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { personIn } from '@gable/server/test/support/browser.ts'
import type { Client, Response } from '@gable/server/test/support/client.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { sessionClient } from '@gable/server/test/support/session-client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('remedies'), egress: towardsLoopback })
})
afterAll(() => app[Symbol.asyncDispose]())

interface Scene {
  workspace: TestWorkspace
  /** May do everything. */
  agent: Client
}

/** A request that gets the error, and then the one that the remedy names. */
type Remedy = (scene: Scene) => Promise<{ error: Response; cure: Response }>

interface Pipeline {
  id: string
  version: number
  stages: { id: string; name: string }[]
}

const made = async (work: Promise<Response>): Promise<string> => {
  const { status, body } = await work
  expect([200, 201, 202], JSON.stringify(body)).toContain(status)
  return String(body['id'])
}

const person = { phone: '+13125550123', source: 'Website', skip_routing: true }
const text = { channel: 'sms', to: '+13125550177', body: 'The open house is at 2 pm on Saturday.' }
const tagging = { steps: [{ key: 'vip', type: 'tag', tag: 'vip' }] }
const inAnHour = (hours = 1) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
const member = async ({ workspace }: Scene, name = 'Ada Reyes') => (await workspace.member(name)).id
const contact = ({ agent }: Scene) => made(agent.post('/contacts', { first_name: 'Ada', tags: ['buyer'] }))
const automation = ({ agent }: Scene) =>
  made(agent.post('/automations', { name: 'VIP', definition: tagging }))
const published = async (scene: Scene) => {
  const id = await automation(scene)
  await made(scene.agent.post(`/automations/${id}/publish`))
  return id
}
const campaign = ({ agent }: Scene, tag: string) =>
  made(
    agent.post('/campaigns', {
      name: 'Open house',
      channel: 'EMAIL',
      audience: { field: 'contact.tags', operator: 'has_any', value: [tag] },
      template: { subject: 'Open house', body: 'The open house is at 2 pm.' },
    }),
  )
const listingFacts = async (scene: Scene) => ({
  property_type: 'residential',
  list_price: 489_000,
  list_agent_id: await member(scene),
})
/** A contact who may get email, with the tag of the campaigns. */
const buyer = async ({ workspace, agent }: Scene) => {
  await readyToSend(workspace)
  const consent = { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lakeside.example/contact' }
  const { body } = await agent.post('/leads', { ...person, email: 'ada@reyes.example', consent })
  await made(agent.patch(`/contacts/${body['contact_id']}`, { tags: ['buyer'] }))
}
const pipeline = async ({ agent }: Scene) => {
  const { body } = await agent.post('/pipelines', { name: 'Commercial', deal_type: 'other' })
  return body as Pipeline
}

/** A request that the document does not announce, so that no client may check its response. */
async function plain(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(app.base + path, { method, headers })
  const body = (await response.json()) as Response['body']
  return { status: response.status, headers: response.headers, body }
}

const remedies: Record<string, Remedy> = {
  async validation_failed({ agent }) {
    const error = await agent.get('/contacts?limit=500')
    expect(error.body['error'].details[0].path).toBe('limit')
    return { error, cure: await agent.get('/contacts?limit=200') }
  },
  async unauthorized({ agent }) {
    const error = await agent.get('/ping', { authorization: agent.key ?? '' })
    return { error, cure: await agent.get('/ping', { authorization: `token ${agent.key}` }) }
  },
  async insufficient_scope({ workspace }) {
    const error = await (await workspace.credential('leads:read')).get('/contacts')
    const [{ message }] = error.body['error'].details
    return { error, cure: await (await workspace.credential('leads:read', message)).get('/contacts') }
  },
  async recent_sign_in_required({ workspace, agent }) {
    const draft = { name: 'sync', scopes: ['contacts:read'] }
    const error = await (await workspace.credential('settings:manage')).post('/api-keys', draft)
    return { error, cure: await agent.post('/api-keys', draft) }
  },
  async not_found(scene) {
    const id = await contact(scene)
    const error = await scene.agent.get(`/contacts/${id.slice(0, -1)}x`)
    return { error, cure: await scene.agent.get(`/contacts/${id}`) }
  },
  async method_not_allowed({ agent }) {
    const error = await agent.request('PUT', '/contacts', { body: {} })
    expect(error.headers.get('allow')).toContain('POST')
    return { error, cure: await agent.post('/contacts', { first_name: 'Ada' }) }
  },
  async contact_erased(scene) {
    const id = await contact(scene)
    await scene.agent.delete(`/contacts/${id}`)
    const error = await scene.agent.patch(`/contacts/${id}`, { first_name: 'Ada' })
    return { error, cure: await scene.agent.post('/contacts', { first_name: 'Ada' }) }
  },
  async external_id_taken({ agent }) {
    const draft = { external_ids: [{ system: 'crm', id: '8841' }] }
    await made(agent.post('/contacts', draft))
    const error = await agent.post('/contacts', draft)
    return { error, cure: await agent.post('/contacts?upsert=external_id', draft) }
  },
  async automation_disabled(scene) {
    const { agent } = scene
    const [id, who] = [await published(scene), await contact(scene)]
    const enroll = () => agent.post(`/automations/${id}/enroll`, { contact_id: who })
    const error = await enroll()
    await made(agent.post(`/automations/${id}/enable`))
    return { error, cure: await enroll() }
  },
  async automation_unpublished(scene) {
    const { agent } = scene
    const id = await automation(scene)
    const error = await agent.post(`/automations/${id}/enable`)
    await made(agent.post(`/automations/${id}/publish`))
    return { error, cure: await agent.post(`/automations/${id}/enable`) }
  },
  async automation_archived(scene) {
    const { agent } = scene
    const id = await published(scene)
    const archived = await agent.patch(`/automations/${id}`, { archived: true })
    const error = await agent.post(`/automations/${id}/enable`)
    const { definition } = archived.body
    const copy = await made(agent.post('/automations', { name: 'VIP', definition: definition ?? tagging }))
    await made(agent.post(`/automations/${copy}/publish`))
    return { error, cure: await agent.post(`/automations/${copy}/enable`) }
  },
  async automation_enabled(scene) {
    const { agent } = scene
    const id = await published(scene)
    await made(agent.post(`/automations/${id}/enable`))
    const error = await agent.patch(`/automations/${id}`, { archived: true })
    await made(agent.post(`/automations/${id}/disable`, { running: 'finish' }))
    return { error, cure: await agent.patch(`/automations/${id}`, { archived: true }) }
  },
  async exclusive_group_taken(scene) {
    const { agent } = scene
    const grouped = async () => {
      const steps = [{ key: 'day', type: 'wait', for: { days: 1 } }]
      const definition = { exclusive_group: { name: 'nurture' }, steps }
      const id = await made(agent.post('/automations', { name: 'Nurture', definition }))
      await made(agent.post(`/automations/${id}/publish`))
      await made(agent.post(`/automations/${id}/enable`))
      return id
    }
    const [first, second, who] = [await grouped(), await grouped(), await contact(scene)]
    const enroll = (id: string) => agent.post(`/automations/${id}/enroll`, { contact_id: who })
    const enrollment = await made(enroll(first))
    const error = await enroll(second)
    await made(agent.patch(`/enrollments/${enrollment}`, { status: 'cancelled' }))
    return { error, cure: await enroll(second) }
  },
  async campaign_status(scene) {
    const id = await campaign(scene, 'buyer')
    const error = await scene.agent.post(`/campaigns/${id}/pause`)
    return { error, cure: await scene.agent.get(`/campaigns/${id}`) }
  },
  async summary_needed(scene) {
    await buyer(scene)
    const id = await campaign(scene, 'buyer')
    const error = await scene.agent.post(`/campaigns/${id}/start`)
    await scene.agent.post(`/campaigns/${id}/summary`)
    return { error, cure: await scene.agent.post(`/campaigns/${id}/start`) }
  },
  async campaign_empty(scene) {
    await buyer(scene)
    const id = await campaign(scene, 'seller')
    const begin = async () => {
      await scene.agent.post(`/campaigns/${id}/summary`)
      return scene.agent.post(`/campaigns/${id}/start`)
    }
    const error = await begin()
    const audience = { field: 'contact.tags', operator: 'has_any', value: ['buyer'] }
    await made(scene.agent.patch(`/campaigns/${id}`, { audience }))
    return { error, cure: await begin() }
  },
  async schedule_past(scene) {
    await buyer(scene)
    const id = await campaign(scene, 'buyer')
    await scene.agent.post(`/campaigns/${id}/summary`)
    const schedule = (starts_at: string) => scene.agent.post(`/campaigns/${id}/schedule`, { starts_at })
    return { error: await schedule(inAnHour(-1)), cure: await schedule(inAnHour()) }
  },
  async lead_closed(scene) {
    const { agent } = scene
    const id = await made(agent.post('/leads', person))
    await made(agent.patch(`/leads/${id}`, { status: 'disqualified' }))
    const error = await agent.post(`/leads/${id}/assign`, { assignee_id: await member(scene) })
    return { error, cure: await agent.post('/leads', person) }
  },
  async member_inactive(scene) {
    const { agent } = scene
    const [left, active] = [await member(scene), await member(scene, 'Theo Lind')]
    await made(agent.patch(`/members/${left}`, { active: false }))
    const id = await made(agent.post('/leads', person))
    const assign = (assignee_id: string) => agent.post(`/leads/${id}/assign`, { assignee_id })
    return { error: await assign(left), cure: await assign(active) }
  },
  async pipeline_archived(scene) {
    const { agent } = scene
    const [archived, other] = [await pipeline(scene), await pipeline(scene)]
    await made(agent.patch(`/pipelines/${archived.id}`, { archived: true }))
    const add = (pipeline_id: string) =>
      agent.post('/deals', { name: 'Elm Street', type: 'other', pipeline_id })
    return { error: await add(archived.id), cure: await add(other.id) }
  },
  async stage_in_use(scene) {
    const { agent } = scene
    const { id, version, stages } = (await agent.get('/pipelines')).body['data'][0] as Pipeline
    const [first, ...others] = stages
    const deal = await made(
      agent.post('/deals', { name: 'Elm Street', type: 'other', pipeline_id: id, stage_id: first?.id }),
    )
    const remove = (now: number) => agent.patch(`/pipelines/${id}`, { stages: others, version: now })
    const error = await remove(version)
    await made(agent.patch(`/deals/${deal}`, { stage_id: others[0]?.id }))
    return { error, cure: await remove(version) }
  },
  async version_conflict(scene) {
    const { agent } = scene
    const { id, version, stages } = await pipeline(scene)
    const rename = (now: number, name: string) =>
      agent.patch(`/pipelines/${id}`, {
        stages: stages.map((stage, at) => (at === 0 ? { ...stage, name } : stage)),
        version: now,
      })
    await made(rename(version, 'Inquiry'))
    const error = await rename(version, 'Call')
    const { body } = await agent.get(`/pipelines/${id}`)
    return { error, cure: await rename(body['version'], 'Call') }
  },
  async saved_search_limit(scene) {
    const { agent } = scene
    await buyer(scene)
    const contact_id = (await agent.get('/contacts?tag=buyer')).body['data'][0].id
    const add = () =>
      agent.post('/saved-searches', { contact_id, name: 'Evanston', criteria: { cities: ['Evanston'] } })
    let last = await add()
    for (let at = 0; last.status === 201 && at < 105; at++) last = await add()
    const { body } = await agent.get(`/saved-searches?contact_id=${contact_id}`)
    await agent.delete(`/saved-searches/${body['data'][0].id}`)
    return { error: last, cure: await add() }
  },
  async appointment_closed({ agent }) {
    const times = { starts_at: inAnHour(1), ends_at: inAnHour(2) }
    const id = await made(agent.post('/appointments', { type: 'showing', ...times }))
    await made(agent.patch(`/appointments/${id}`, { outcome: 'cancelled' }))
    const later = { starts_at: inAnHour(3), ends_at: inAnHour(4) }
    const error = await agent.patch(`/appointments/${id}`, later)
    return { error, cure: await agent.post('/appointments', { type: 'showing', ...later }) }
  },
  async host_busy(scene) {
    const host_id = await member(scene)
    const book = (hours: number) =>
      scene.agent.post('/appointments', {
        type: 'showing',
        starts_at: inAnHour(hours),
        ends_at: inAnHour(hours + 1),
        host_id,
        if_free: true,
      })
    await made(book(1))
    return { error: await book(1), cure: await book(3) }
  },
  async persona_in_use(scene) {
    const { agent } = scene
    const draft = { name: 'Alder', disclosure: 'This is Alder, the AI assistant of Lakeside Realty.' }
    const id = await made(agent.post('/personas', draft))
    await made(agent.patch(`/personas/${id}`, { enabled: true, mode: 'approve' }))
    const error = await agent.delete(`/personas/${id}`)
    await made(agent.patch(`/personas/${id}`, { enabled: false }))
    return { error, cure: await agent.delete(`/personas/${id}`) }
  },
  async mls_number_taken(scene) {
    const { agent } = scene
    const listing = { ...(await listingFacts(scene)), mls_number: '12345678' }
    const id = await made(agent.post('/listings', listing))
    const error = await agent.post('/listings', listing)
    return { error, cure: await agent.patch(`/listings/${id}`, { list_price: 479_000 }) }
  },
  async fair_housing_review(scene) {
    const listing = { ...(await listingFacts(scene)), status: 'active' }
    const post = (public_remarks: string) => scene.agent.post('/listings', { ...listing, public_remarks })
    return {
      error: await post('Perfect for a Christian family, no children.'),
      cure: await post('A new roof.'),
    }
  },
  async public_app({ agent }) {
    const draft = {
      name: 'Lead Mirror',
      redirect_uris: ['http://127.0.0.1/callback'],
      scopes: ['leads:read'],
    }
    const id = await made(agent.post('/apps', { ...draft, confidential: false }))
    const error = await agent.post(`/apps/${id}/rotate-secret`)
    const other = await made(agent.post('/apps', draft))
    return { error, cure: await agent.post(`/apps/${other}/rotate-secret`) }
  },
  async webhook_not_active({ agent }) {
    const id = await made(agent.post('/webhooks', { url: 'http://127.0.0.1:9/gable' }))
    await made(agent.patch(`/webhooks/${id}`, { paused: true }))
    const send = () => agent.post(`/webhooks/${id}/test`, { event_type: 'contact.created' })
    const error = await send()
    await made(agent.patch(`/webhooks/${id}`, { paused: false }))
    return { error, cure: await send() }
  },
  async webhook_limit({ agent }) {
    const add = () => agent.post('/webhooks', { url: 'http://127.0.0.1:9/gable' })
    let last = await add()
    const { id } = last.body
    for (let at = 0; last.status === 201 && at < 110; at++) last = await add()
    await agent.delete(`/webhooks/${id}`)
    return { error: last, cure: await add() }
  },
  async idempotency_mismatch({ agent }) {
    const create = (first_name: string, key: string) =>
      agent.post('/contacts', { first_name }, { 'idempotency-key': key })
    await made(create('Ada', 'one'))
    return { error: await create('Grace', 'one'), cure: await create('Grace', 'two') }
  },
  async precondition_failed(scene) {
    const { agent } = scene
    const id = await contact(scene)
    const change = (version: string) =>
      agent.request('PATCH', `/contacts/${id}`, {
        body: { stage: 'SPHERE' },
        headers: { 'if-match': version },
      })
    const error = await change('"2020-01-01T00:00:00.000Z"')
    const { headers } = await agent.get(`/contacts/${id}`)
    return { error, cure: await change(headers.get('etag') ?? '') }
  },
  async payload_too_large({ agent }) {
    const send = (length: number) => agent.post('/contacts', { first_name: 'Ada', notes: 'x'.repeat(length) })
    return { error: await send(300_000), cure: await send(1000) }
  },
  async unsupported_media_type({ agent }) {
    const send = (type: string) =>
      agent.request('POST', '/contacts', { raw: '{"first_name":"Ada"}', headers: { 'content-type': type } })
    return { error: await send('text/plain'), cure: await send('application/json') }
  },
  async rate_limited({ workspace }) {
    const busy = await workspace.credential('contacts:read')
    let last = await busy.get('/ping')
    for (let at = 0; last.status === 200 && at < 200; at++) last = await busy.get('/ping')
    app.clock.advance(Number(last.headers.get('retry-after')) * 1000)
    return { error: last, cure: await busy.get('/ping') }
  },
  async compliance_blocked({ workspace, agent }) {
    await readyToSend(workspace)
    const to = '+13125550150'
    const error = await agent.post('/messages', { ...text, to })
    const consent = { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lakeside.example/contact' }
    await made(agent.post('/leads', { ...person, phone: to, consent }))
    return { error, cure: await agent.post('/messages', { ...text, to }) }
  },
  async message_not_pending({ workspace, agent }) {
    await readyToSend(workspace)
    const id = await made(agent.post('/messages', text))
    const error = await agent.post(`/messages/${id}/approve`)
    return { error, cure: await agent.get(`/messages/${id}`) }
  },
  async message_not_resendable({ workspace, agent }) {
    await readyToSend(workspace)
    const id = await made(agent.post('/messages', text))
    const error = await agent.post(`/messages/${id}/resend`)
    return { error, cure: await agent.post('/messages', text) }
  },
  async message_not_cancellable({ workspace, agent }) {
    await readyToSend(workspace)
    const id = await made(agent.post('/messages', text))
    await made(agent.post(`/messages/${id}/cancel`))
    const error = await agent.post(`/messages/${id}/cancel`)
    return { error, cure: await agent.get(`/messages/${id}`) }
  },
  async enrollment_ended(scene) {
    const { agent } = scene
    const [id, who] = [await published(scene), await contact(scene)]
    await made(agent.post(`/automations/${id}/enable`))
    const enroll = () => agent.post(`/automations/${id}/enroll`, { contact_id: who })
    const enrollment = await made(enroll())
    await made(agent.patch(`/enrollments/${enrollment}`, { status: 'cancelled' }))
    const error = await agent.patch(`/enrollments/${enrollment}`, { status: 'paused' })
    return { error, cure: await enroll() }
  },
  async suppression_lifted({ agent }) {
    const id = await made(agent.post('/suppressions', { phone: '+13125550123', kind: 'manual' }))
    await made(agent.post(`/suppressions/${id}/lift`))
    const error = await agent.post(`/suppressions/${id}/lift`)
    return { error, cure: await agent.get(`/suppressions/${id}`) }
  },
  async lead_erased({ agent }) {
    const { body } = await agent.post('/leads', person)
    await agent.delete(`/contacts/${body['contact_id']}`)
    const error = await agent.patch(`/leads/${body['id']}`, { status: 'contacted' })
    return { error, cure: await agent.get(`/leads/${body['id']}`) }
  },
  async idempotency_erased({ agent }) {
    const create = () => agent.post('/contacts', { first_name: 'Ada' }, { 'idempotency-key': 'ada' })
    const id = await made(create())
    await agent.delete(`/contacts/${id}`)
    return { error: await create(), cure: await agent.get(`/contacts/${id}`) }
  },
  async connection_untestable({ workspace, agent }) {
    await readyToSend(workspace)
    const { body } = await agent.get('/connections')
    const { id } = body['data'].find(({ provider }: { provider: string }) => provider === 'email')
    const error = await agent.post(`/connections/${id}/test`)
    const email = {
      channel: 'email',
      to: 'ada@reyes.example',
      subject: 'Hello',
      body: 'Hello',
      purpose: 'reply',
    }
    await made(
      agent.post('/leads', {
        ...person,
        email: email.to,
        consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://a.example' },
      }),
    )
    return { error, cure: await agent.post('/messages/preflight', email) }
  },
  async invalid_token({ workspace }) {
    const mirror = await registerApp(app)
    const { access_token, refresh_token } = await connect(app, workspace, mirror)
    const ping = (token: unknown) => plain('GET', '/ping', { authorization: `Bearer ${token}` })
    app.clock.advance(25 * 3_600_000)
    const error = await ping(access_token)
    const { body } = await postForm(app, 'token', refreshForm(mirror, refresh_token))
    return { error, cure: await ping(body['access_token']) }
  },
  async forbidden({ workspace, agent }) {
    const draft = { name: 'Sync', scopes: ['contacts:read'] }
    const admin = await sessionClient(app, await personIn(workspace, 'admin'), workspace.id)
    const { id: member_id } = (await personIn(workspace, 'owner')).member
    const error = await admin.post('/api-keys', { ...draft, member_id })
    return { error, cure: await agent.post('/api-keys', { ...draft, member_id }) }
  },
  async not_a_test_workspace({ agent }) {
    const error = await agent.post('/test-clock', { advance: 'PT1H' })
    const tester = await (await app.workspace({ name: 'Test', test_mode: true })).credential()
    return { error, cure: await tester.post('/test-clock', { advance: 'PT1H' }) }
  },
  async lead_not_offered(scene) {
    const { agent } = scene
    const id = await made(agent.post('/leads', person))
    const error = await agent.post(`/leads/${id}/claim`, { member_id: await member(scene) })
    return { error, cure: await agent.get(`/leads/${id}`) }
  },
  async backfill_ended(scene) {
    const { agent } = scene
    const [id] = [await published(scene), await contact(scene)]
    await made(agent.post(`/automations/${id}/enable`))
    const start = () =>
      agent.post(`/automations/${id}/backfills`, {
        conditions: { field: 'contact.tags', operator: 'has_any', value: ['buyer'] },
      })
    const backfill = await made(start())
    const change = (status: string) => agent.patch(`/backfills/${backfill}`, { status })
    await made(change('cancelled'))
    return { error: await change('running'), cure: await start() }
  },
  async conflict({ workspace, agent }) {
    await readyToSend(workspace)
    const error = await agent.post('/senders', { kind: '10dlc', address: '+13125550188' })
    return { error, cure: await agent.get('/senders') }
  },
  async connection_in_use({ workspace, agent }) {
    await readyToSend(workspace)
    const { id } = (await agent.get('/connections')).body['data'][0]
    const error = await agent.post(`/connections/${id}/disconnect`)
    return { error, cure: await agent.get(`/connections/${id}`) }
  },
  async message_erased({ workspace, agent }) {
    await readyToSend(workspace)
    const { body } = await agent.post('/messages', text)
    await agent.delete(`/contacts/${body['contact_id']}`)
    const error = await agent.post(`/messages/${body['id']}/resend`)
    const consent = { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lakeside.example/contact' }
    await made(agent.post('/leads', { ...person, phone: '+13125550151', consent }))
    return { error, cure: await agent.post('/messages', { ...text, to: '+13125550151' }) }
  },
  async headers_too_large({ agent }) {
    const get = (length: number) =>
      plain('GET', '/ping', { authorization: `token ${agent.key}`, 'x-note': 'n'.repeat(length) })
    return { error: await get(20_000), cure: await get(1000) }
  },
  async method_not_implemented({ agent }) {
    const authorization = `token ${agent.key}`
    return {
      error: await plain('BREW', '/contacts', { authorization }),
      cure: await plain('GET', '/contacts', { authorization }),
    }
  },
}

/** A request to the OAuth server, as an app sends it. */
async function oauth(path: 'token' | 'revoke', form: Record<string, string>): Promise<Response> {
  const { status, headers, body } = await postForm(app, path, form)
  return { status, headers, body }
}

const machine = { grant_type: 'client_credentials' }

/** An app that a workspace has connected. */
async function connectedApp({ workspace }: Scene): Promise<RegisteredApp> {
  const registered = await registerApp(app)
  await connect(app, workspace, registered, { scopes: ['leads:read'] })
  return registered
}

/** Asks for a token, first with the error and then without. */
async function asked(
  scene: Scene,
  wrong: Record<string, string>,
  right: Record<string, string> = machine,
): Promise<{ error: Response; cure: Response }> {
  const { credentials } = await connectedApp(scene)
  return {
    error: await oauth('token', { ...credentials, ...wrong }),
    cure: await oauth('token', { ...credentials, ...right }),
  }
}

const oauthRemedies: Record<string, Remedy> = {
  invalid_request: async (scene) => asked(scene, { ...machine, grant_type: '' }),
  invalid_client: async (scene) => asked(scene, { ...machine, client_secret: 'wrong' }),
  invalid_scope: async (scene) =>
    asked(scene, { ...machine, scope: 'everything' }, { ...machine, scope: 'leads:read' }),
  unsupported_grant_type: async (scene) => asked(scene, { grant_type: 'password' }),
  async unauthorized_client(scene) {
    const desktop = await registerApp(app, { confidential: false })
    const confidential = await connectedApp(scene)
    return {
      error: await oauth('token', { ...machine, ...desktop.credentials }),
      cure: await oauth('token', { ...machine, ...confidential.credentials }),
    }
  },
  async invalid_grant({ workspace }) {
    const mirror = await registerApp(app)
    const { refresh_token } = await connect(app, workspace, mirror)
    const error = await oauth('token', refreshForm(mirror, `${refresh_token.slice(0, -1)}_`))
    const again = await connect(app, workspace, mirror)
    return { error, cure: await oauth('token', refreshForm(mirror, again.refresh_token)) }
  },
  async temporarily_unavailable(scene) {
    const { credentials } = await connectedApp(scene)
    const ask = (more: object = {}) => oauth('token', { ...machine, ...credentials, ...more })
    let last = await ask({ client_secret: 'wrong' })
    for (let at = 0; last.status === 401 && at < 200; at++) last = await ask({ client_secret: 'wrong' })
    app.clock.advance(Number(last.headers.get('retry-after')) * 1000)
    return { error: last, cure: await ask() }
  },
}

/** The codes whose remedy is not tried here, with the reason. The tests that show the error are in brackets. */
const elsewhere: Record<string, string> = {
  request_timeout: 'a body would have to take 30 seconds to arrive (kernel/http/server.test.ts)',
  internal: 'only a bug in Gable causes it (kernel/http/server.test.ts)',
  unavailable: 'the database would have to be away (e2e/faults)',
  suppressions_unreadable:
    'the server would have to start without its secret (compliance/suppression-keys.test.ts)',
  provider_unavailable: 'a provider would have to be away (adapters, test/calls/placing.test.ts)',
  idempotency_in_progress: 'two requests would have to run at once (test/contract/idempotency.test.ts)',
  delivery_pending: 'a worker would have to be at an attempt (deliveries/deliveries.test.ts)',
  automation_cancelling: 'the engine would have to cancel enrollments (backfills/changes/changes.test.ts)',
  campaign_paused: 'the engine would have to send a campaign (campaigns/pausing.test.ts)',
  document_attached: 'a document with a provider is needed (test/documents)',
  document_closed: 'a document with a provider is needed (test/documents)',
  document_erased: 'a document with a provider is needed (test/documents)',
  connection_disconnected: 'a connection with a voice provider is needed (test/calls/disconnected.test.ts)',
  connection_has_calls: 'a call with a provider is needed (test/calls/disconnected.test.ts)',
  call_not_cancellable: 'a call with a provider is needed (test/calls/placing.test.ts)',
  call_not_over: 'a call with a provider is needed (test/calls/result.test.ts)',
  call_erased: 'a call with a provider is needed (test/calls/result.test.ts)',
  voice_not_connected: 'a connection with a voice provider is needed (test/calls/who-talks.test.ts)',
  ai_off: 'a connection with a voice provider is needed (test/calls/who-talks.test.ts)',
  persona_off: 'a connection with a voice provider is needed (test/calls/who-talks.test.ts)',
}

test('every code of the page has a test of its remedy, or a reason why not', async () => {
  const page = await readFile(new URL('errors.md', import.meta.url), 'utf8')
  const codes = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  const tried = [remedies, oauthRemedies, elsewhere].flatMap((one) => Object.keys(one))
  expect(tried.toSorted()).toEqual(codes.toSorted())
})

test.each(Object.entries(oauthRemedies))(
  '%s of the OAuth server is cured by its remedy',
  async (code, provoke) => {
    const workspace = await app.workspace()
    const { error, cure } = await provoke({ workspace, agent: await workspace.credential() })
    expect(error.body['error'], JSON.stringify(error.body)).toBe(code)
    expect(cure.status, JSON.stringify(cure.body)).toBe(200)
  },
)

test.each(Object.entries(remedies))('%s is cured by its remedy', async (code, provoke) => {
  const workspace = await app.workspace()
  const { error, cure } = await provoke({ workspace, agent: await workspace.credential() })
  expect(error.body['error'], JSON.stringify(error.body)).toMatchObject({ code })
  expect(cure.status, JSON.stringify(cure.body)).toBeLessThan(300)
})
