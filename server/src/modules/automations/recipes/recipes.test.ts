import { beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { forgetDue, runDue } from '#test/scenes/engine.ts'
import { app, openScene, workspace } from '#test/scenes/workspace.ts'
import type { Client } from '#test/support/client.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { scanContent } from '../../content/public.ts'
import { beginSends } from '../../messages/outbox/begin-sends.ts'
import { settleSends } from '../../messages/outbox/settle-sends.ts'
import { listSenders } from '../../senders/public.ts'
import type { Automation } from '../automation.ts'
import { stepsIn } from '../definition/tree.ts'
import { recipes } from './recipes.ts'

type Json = Record<string, unknown>

// A Monday, 10 am in Chicago.
const morning = '2026-03-02T16:00:00.000Z'
openScene({ role: 'api', now: morning, publicUrl: 'https://gable.example.com' })

const dayMs = 24 * 3_600_000
let byName: Map<string, Automation>
/** Replaced along the way: a key lasts 90 days, and some of these stories take longer. */
let agent: Client

beforeAll(async () => {
  await forgetDue(app)
  await readyToSend(workspace)
  agent = await workspace.credential()
  const { data } = (await agent.get('/automations')).body as { data: Automation[] }
  byName = new Map(data.map((one) => [one.name, one]))
})

beforeEach(async () => {
  agent = await workspace.credential()
})

async function enabled(name: string): Promise<string> {
  const { id } = orNotFound(byName.get(name))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

const tick = () => runDue(app)

/** Sends all messages that are waiting, like a worker. */
async function leave(): Promise<void> {
  const workspaceId = workspace.id
  for (const { id: senderId } of await listSenders(workspace.ctx.db)) {
    const begun = await beginSends(app.runtime, { workspaceId, senderId }, 100)
    const settled = begun.map(({ message, attemptId }) => ({
      messageId: message.id,
      attemptId,
      outcome: { kind: 'taken' as const, providerMessageId: attemptId },
    }))
    await settleSends(app.runtime, workspaceId, settled)
  }
}

const leadCreated = { event: 'lead.created' }
let people = 0
const consent = { captured_at: morning, source_url: 'https://lanternandoak.example/valuation' }

/** Creates a lead, with or without consent to texts. Returns the ID of its contact. */
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

const taken = (steps: unknown) =>
  (steps as Json[]).map(({ step_key, at, outcome, reason }) => [step_key, at, outcome, reason])

/**
 * What the contact gets, and when: each step with its outcome and the number of days from now, until the end or until no next time is
 * known. With `trigger`, also checks that a dry run from now on predicts the same.
 */
async function course(
  contact: string,
  automation: string,
  trigger?: Json,
): Promise<{ days: [number, string][]; end: Json }> {
  const start = app.clock.now().getTime()
  const dry = await agent.post(`/automations/${automation}/dry-run`, { contact_id: contact, trigger })
  await tick()
  const id = String(orNotFound((await enrollmentsOf(contact, automation))[0])['id'])
  for (;;) {
    await tick()
    await leave()
    await tick()
    agent = await workspace.credential()
    const end = (await agent.get(`/enrollments/${id}`)).body as Json
    const at = (end['next'] as { at: string | null } | null)?.at ?? null
    if (at === null) {
      const steps = end['steps'] as Json[]
      if (trigger !== undefined) {
        expect(taken(dry.body['steps'])).toEqual(taken(steps))
        expect([dry.body['status'], dry.body['ended_at']]).toEqual([end['status'], end['ended_at']])
      }
      const days = steps
        .filter(({ type, outcome }) => !/^wait|branch/.test(String(type)) && outcome !== 'deferred')
        .map(({ step_key, at: done, outcome, reason }): [number, string] => [
          Math.floor((Date.parse(String(done)) - start) / dayMs),
          `${step_key} ${outcome === 'done' ? '' : reason}`.trim(),
        ])
      return { days, end }
    }
    app.clock.set(at)
  }
}

test('a new workspace has every recipe as a disabled draft that can be published as is', async () => {
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

test('every recipe passes the content scan, and its first text names the workspace and the opt-out', () => {
  for (const { name, definition } of recipes) {
    const sends = [...stepsIn(definition.steps)].flatMap((step) => (step.type === 'send' ? [step] : []))
    for (const { subject = '', body } of sends)
      expect([name, scanContent(`${subject}\n${body}`, {})]).toEqual([name, []])
    const first = sends.find(({ channel }) => channel === 'sms')
    if (first !== undefined) expect(first.body).toMatch(/{{workspace.name}}.*Reply STOP to opt out\.$/)
  }
})

test('Speed to lead texts a lead with consent, and otherwise asks for a call the same day', async () => {
  const id = await enabled('Speed to lead')
  expect(await course(await lead(false), id, leadCreated)).toMatchObject({
    days: [
      [0, 'text consent_missing'],
      [0, 'call'],
    ],
    end: { status: 'completed' },
  })
  expect(await course(await lead(), id, leadCreated)).toMatchObject({
    days: [[0, 'text']],
    end: { status: 'completed' },
  })
  await agent.post(`/automations/${id}/disable`, {})
})

test('No reply writes after one, three, and seven days, and asks for a call the day after', async () => {
  const id = await enabled('No reply')
  const { days, end } = await course(await lead(), id, leadCreated)
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
  const stage = { event: 'contact.stage_changed', data: { id: contact, to: 'NURTURE' } }
  const { days, end } = await course(contact, id, stage)
  expect(days.map(([, what]) => what)).toEqual([
    ...Array.from({ length: 12 }, (_, n) => `email_${n + 1}`),
    'call',
  ])
  // Thirty days after the previous email; on a weekend, the Monday after.
  for (const [n, [day]] of days.slice(0, 12).entries()) {
    const late = day - (days[n - 1]?.[0] ?? 0) - 30
    expect([0, 1, 2, 3]).toContain(late)
  }
  expect(end['status']).toBe('completed')
})

const appointment = async (contact_id: string, days: number) => {
  const starts = app.clock.now().getTime() + days * dayMs
  const [starts_at, ends_at] = [starts, starts + 3_600_000].map((at) => new Date(at).toISOString())
  const { body } = await agent.post('/appointments', { type: 'showing', contact_id, starts_at, ends_at })
  return String(body['id'])
}

test('Showing reminder and feedback follows the showing, and asks for a call when there is no feedback', async () => {
  const id = await enabled('Showing reminder and feedback')
  const contact = await lead()
  const showing = await appointment(contact, 5)
  await tick()
  const moved = app.clock.now().getTime() + 8 * dayMs
  await agent.patch(`/appointments/${showing}`, {
    starts_at: new Date(moved).toISOString(),
    ends_at: new Date(moved + 3_600_000).toISOString(),
  })
  const booked = { event: 'appointment.booked', data: { id: showing, type: 'showing' } }
  expect((await course(contact, id, booked)).days).toEqual([
    [7, 'reminder'],
    [8, 'feedback'],
    [10, 'call'],
  ])

  const missed = await lead()
  const second = await appointment(missed, 2)
  await tick()
  app.clock.advance(dayMs)
  await tick()
  app.clock.advance(dayMs)
  await agent.patch(`/appointments/${second}`, { outcome: 'no-show' })
  expect((await course(missed, id)).days.map(([, what]) => what)).toEqual(['reminder', 'missed'])

  const cancelled = await lead()
  const third = await appointment(cancelled, 2)
  await tick()
  await agent.patch(`/appointments/${third}`, { outcome: 'cancelled' })
  await tick()
  expect(await enrollmentsOf(cancelled, id)).toMatchObject([{ status: 'exited', reason: 'gone' }])
})

test('Past-client anniversary writes on five anniversaries, and leaves out those that have passed', async () => {
  const id = await enabled('Past-client anniversary')
  const [contact, old] = [await lead(), await lead()]
  const { data } = (await agent.get('/pipelines')).body as {
    data: { id: string; stages: { id: string; outcome: string }[] }[]
  }
  const won = orNotFound(data[0]?.stages.find(({ outcome }) => outcome === 'won')).id
  const deal = async (contact_id: string) =>
    String(
      (
        await agent.post('/deals', {
          name: 'Alder Court',
          contact_ids: [contact_id],
          pipeline_id: orNotFound(data[0]).id,
        })
      ).body['id'],
    )
  const wonNow = (deal_id: string) => ({ event: 'deal.stage_changed', data: { id: deal_id, status: 'won' } })
  const [first, second] = [await deal(contact), await deal(old)]
  await agent.patch(`/deals/${first}`, { stage_id: won })
  const { days, end } = await course(contact, id, wonNow(first))
  expect(days).toEqual(
    [1, 2, 3, 4, 5].map((n) => [
      expect.toSatisfy((day: number) => Math.abs(day - 365.25 * n) < 2),
      `email_${n}`,
    ]),
  )
  expect(end['status']).toBe('completed')

  const closed = new Date(app.clock.now().getTime() - 3.5 * 365.25 * dayMs).toISOString().slice(0, 10)
  await agent.patch(`/deals/${second}`, { stage_id: won, close_date: closed })
  expect((await course(old, id, wonNow(second))).days.map(([, what]) => what)).toEqual([
    'email_1 late',
    'email_2 late',
    'email_3 late',
    'email_4',
    'email_5',
  ])
})
