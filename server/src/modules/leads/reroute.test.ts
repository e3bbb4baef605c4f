import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { fingerprint } from '#test/support/database.ts'
import { capture, crew } from '#test/support/leads.ts'
import { setAvailability, setRules } from '../routing/public.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

interface Scene {
  workspace: TestWorkspace
  agent: Client
  /** Three members, ordered by id. */
  members: string[]
  pause(...ids: string[]): Promise<void>
  resume(): Promise<void>
}

/** Creates a workspace with one rule, for all leads and all members. */
async function openScene(rule: (members: string[]) => object): Promise<Scene> {
  const workspace = await app.workspace()
  const members = await crew(workspace, 3)
  const everyone = { name: 'Everyone', conditions: { all: [] }, pool: { everyone: true } }
  await setRules(workspace.ctx, { rules: [{ ...everyone, ...rule(members) }] })
  const set = async (ids: readonly string[], paused: boolean) => {
    for (const id of ids) await setAvailability(workspace.ctx, id, { paused })
  }
  return {
    workspace,
    members,
    agent: await workspace.credential(),
    pause: (...ids) => set(ids, true),
    resume: () => set(members, false),
  }
}

/** Routes the lead again twice. Its assignee must stay the same, and no row of any table may change. */
async function expectNothingChanges({ agent }: Scene, id: string): Promise<void> {
  const before = await fingerprint(app.databaseUrl)
  const lead = (await agent.get(`/leads/${id}`)).body
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000)
    const { body } = await agent.post(`/leads/${id}/assign`)
    expect(body).toMatchObject({ changed: false, assignee_id: lead['assignee_id'], decision: null })
  }
  expect((await agent.get(`/leads/${id}`)).body).toEqual(lead)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
}

/** Who would get the next lead if all members were available. */
const next = async ({ agent, resume }: Scene) => {
  await resume()
  return (await agent.post('/leads/routing-preview', { source: 'Website' })).body['assignee_id'] as string
}

type Rule = (members: string[]) => object

const turns: Record<string, Rule> = {
  'in turn': () => ({ method: 'round_robin' }),
  'by weight': ([a = '', b = '']) => ({ method: 'weighted', weights: { [a]: 3, [b]: 2 } }),
  'by the longest wait': () => ({ method: 'least_recently_assigned' }),
  'by the fewest open leads': () => ({ method: 'least_loaded' }),
  'to the owner first': () => ({ method: 'round_robin', sticky: { existing_owner: true } }),
}

test.each(Object.entries(turns))(
  'for leads that go %s, re-routing that changes nothing uses no one’s turn',
  async (_how, rule) => {
    const scene = await openScene(rule)
    const leads: [id: string, assigneeId: string][] = []
    for (let i = 0; i < 4; i++) {
      app.clock.advance(1000)
      const { id, assignee_id } = await capture(scene.agent)
      leads.push([id, assignee_id])
    }
    const turn = await next(scene)
    for (const [id, assignee_id] of leads) {
      await scene.pause(...scene.members.filter((one) => one !== assignee_id))
      await expectNothingChanges(scene, id)
      await scene.pause(assignee_id)
      await expectNothingChanges(scene, id)
      expect(await next(scene)).toBe(turn)
    }
  },
)

const night = { days: ['sun'], from: '02:00', to: '03:00', timezone: 'UTC', outside: 'hold' }

const parked: Record<string, { waits_for: string; rule: Rule }> = {
  'waits for an agent': { waits_for: 'agent', rule: () => ({ method: 'round_robin' }) },
  'waits for hours': { waits_for: 'hours', rule: () => ({ method: 'round_robin', schedule: night }) },
  'is offered': {
    waits_for: 'claim',
    rule: () => ({ method: 'first_to_claim', fallback: [{ method: 'pond' }] }),
  },
  'is offered to all': { waits_for: 'pond', rule: () => ({ method: 'pond' }) },
}

test.each(Object.entries(parked))(
  're-routing a lead that %s changes nothing',
  async (_what, { waits_for, rule }) => {
    const scene = await openScene(rule)
    if (waits_for === 'agent') await scene.pause(...scene.members)
    const lead = await capture(scene.agent)
    expect(lead).toMatchObject({ assignee_id: null, waits_for })
    await expectNothingChanges(scene, lead['id'])
  },
)
