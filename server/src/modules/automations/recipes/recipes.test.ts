import { beforeAll, expect, test } from 'vitest'
import { found } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { scanContent } from '../../compliance/public.ts'
import type { Automation } from '../automation.ts'
import { stepsIn } from '../definition/tree.ts'
import { createEngine } from '../engine/engine.ts'
import { recipes } from './recipes.ts'

type Json = Record<string, unknown>

// A Monday, 10 am in Chicago.
const morning = '2026-03-02T16:00:00.000Z'
openScene({ role: 'api', now: morning, publicUrl: 'https://gable.example.com' })

const dayMs = 24 * 3_600_000
let byName: Map<string, Automation>

beforeAll(async () => {
  await readyToSend(workspace)
  const { data } = (await agent.get('/automations')).body as { data: Automation[] }
  byName = new Map(data.map((one) => [one.name, one]))
})

async function enabled(name: string): Promise<string> {
  const { id } = found(byName.get(name))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

async function tick(): Promise<void> {
  await using queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(app.runtime, queue, newId(app.clock.now()))
  while ((await engine.tick()) > 0);
}

let people = 0
const consent = { captured_at: morning, source_url: 'https://lanternandoak.example/valuation' }

/** The contact of a new lead, who agrees to texts or not. */
async function lead(agrees = true): Promise<string> {
  const n = ++people
  const person = { first_name: 'Sam', phone: `+1312555${1000 + n}`, email: `sam${n}@reyes.example` }
  const { body } = await agent.post('/leads', {
    ...person,
    source: 'Website',
    skip_routing: true,
    ...(agrees && { consent }),
  })
  return String(body['contact_id'])
}

const enrollmentsOf = async (contact: string, automation: string) =>
  ((await agent.get(`/contacts/${contact}/enrollments`)).body['data'] as Json[]).filter(
    ({ automation_id }) => automation_id === automation,
  )

/** What the contact gets, and when: days since now, and the step with what became of it, to the end or until no time is known. */
async function course(contact: string, automation: string): Promise<{ days: [number, string][]; end: Json }> {
  const start = app.clock.now().getTime()
  await tick()
  const id = String(found((await enrollmentsOf(contact, automation))[0])['id'])
  for (;;) {
    await tick()
    // Its key lasts for 90 days.
    const reader = await workspace.credential('automations:read')
    const end = (await reader.get(`/enrollments/${id}`)).body as Json
    const at = (end['next'] as { at: string | null } | null)?.at ?? null
    if (at === null) {
      const steps = end['steps'] as Json[]
      const days = steps
        .filter(({ type, outcome }) => !String(type).startsWith('wait') && outcome !== 'deferred')
        .map(({ step_key, at: done, outcome, reason }): [number, string] => [
          Math.floor((Date.parse(String(done)) - start) / dayMs),
          `${step_key} ${outcome === 'done' ? '' : reason}`.trim(),
        ])
      return { days, end }
    }
    app.clock.set(at)
  }
}

test('a new workspace has every recipe as a draft, which takes no contacts and can be published as it is', async () => {
  expect([...byName.keys()].toSorted()).toEqual(recipes.map(({ name }) => name).toSorted())
  for (const { id, version, enabled: takes, definition } of byName.values()) {
    expect([version, takes]).toEqual([null, false])
    expect((await agent.post('/automations/validate', { definition })).status).toBe(200)
    expect((await agent.post(`/automations/${id}/publish`)).body).toMatchObject({
      version: 1,
      enabled: false,
    })
  }
})

test('no recipe says what fair housing law forbids or what no one may promise, and its first text names us and the way out', () => {
  for (const { name, definition } of recipes) {
    const sends = [...stepsIn(definition.steps)].flatMap((step) => (step.type === 'send' ? [step] : []))
    for (const { subject = '', body } of sends)
      expect([name, scanContent(`${subject}\n${body}`, {})]).toEqual([name, []])
    const first = sends.find(({ channel }) => channel === 'sms')
    if (first !== undefined) expect(first.body).toMatch(/{{workspace.name}}.*Reply STOP to opt out\.$/)
  }
})

test('Speed to lead texts at once who has agreed, and asks for a call', async () => {
  const id = await enabled('Speed to lead')
  expect((await course(await lead(), id)).days).toEqual([
    [0, 'text'],
    [0, 'call'],
  ])
  expect((await course(await lead(false), id)).days).toEqual([
    [0, 'text consent_missing'],
    [0, 'call'],
  ])
  await agent.post(`/automations/${id}/disable`, {})
})

test('No reply writes after one, three and seven days, and asks for a call the day after', async () => {
  const id = await enabled('No reply')
  const { days, end } = await course(await lead(), id)
  expect(days).toEqual([
    [1, 'first'],
    [3, 'second'],
    [7, 'third'],
    [8, 'call'],
  ])
  expect(end['status']).toBe('completed')

  const moved = await lead()
  await tick()
  await agent.patch(`/contacts/${moved}`, { stage: 'HOT_LEAD' })
  await tick()
  expect(await enrollmentsOf(moved, id)).toMatchObject([{ status: 'exited', reason: 'conditions' }])
  await agent.post(`/automations/${id}/disable`, {})
})

test('Nurture writes once a month for a year, and asks for a call at the end', async () => {
  const id = await enabled('Nurture')
  const contact = await lead()
  await agent.patch(`/contacts/${contact}`, { stage: 'NURTURE' })
  const { days, end } = await course(contact, id)
  expect(days.map(([, what]) => what)).toEqual([
    ...Array.from({ length: 12 }, (_, n) => `email_${n + 1}`),
    'call',
  ])
  // A month after the one before it; on weekends, on the Monday after.
  for (const [n, [day]] of days.slice(0, 12).entries()) {
    const late = day - (days[n - 1]?.[0] ?? 0) - 30
    expect([0, 1, 2, 3]).toContain(late)
  }
  expect(end['status']).toBe('completed')
})
