import { beforeEach, expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  historyOf,
  messagesTo,
  openAutomations,
  post,
  send,
  tagStep,
  tick,
} from '#test/scenes/automations.ts'

openAutomations()

const minute = 60_000

// Each test starts with a fresh rate limit, which counts per minute.
beforeEach(() => app.clock.advance(minute))

const patch = (path: string, body: object) => emailing.agent.patch(path, body)
const disable = (automation: string) => post(`/automations/${automation}/disable`)
const enable = (automation: string) => post(`/automations/${automation}/enable`)

// 10 am in Chicago.
const monday = new Date('2026-03-16T15:00:00.000Z')
const day = 24 * 60 * minute

test.each([
  [20 * 60 * minute, ['hello deferred paused', 'hello done'], ['cancelled', 'queued']],
  [14 * day, ['hello deferred paused', 'hello skipped late', 'after done'], ['cancelled']],
])(
  'disabling cancels a queued message; enabling sends it, or skips it if over a day late',
  async (ms, history, statusesAfter) => {
    app.clock.set(monday)
    const id = await enabled({ steps: [send('hello'), tagStep('after')] })
    const { email, enrollment } = await enrolled(id)
    await tick()
    expect(await messagesTo(email)).toMatchObject([{ status: 'queued' }])
    await disable(id)
    await tick()
    expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
    app.clock.advance(ms)
    await enable(id)
    await tick()
    expect((await messagesTo(email)).map(({ status }) => status)).toEqual(statusesAfter)
    expect(await historyOf(enrollment)).toEqual(history)
  },
)

test('a pause does not make a message late, but a delay before the pause does', async () => {
  app.clock.set(new Date(monday.getTime() + 28 * day))
  const id = await enabled({ steps: [{ key: 'w', type: 'wait', for: { minutes: 10 } }, send('hello')] })
  const [early, late] = [await enrolled(id), await enrolled(id)]
  await tick()
  const path = (one: { enrollment: string }) => `/enrollments/${one.enrollment}`
  await patch(path(early), { status: 'paused' })
  app.clock.advance(10 * minute + day + minute)
  await patch(path(late), { status: 'paused' })
  app.clock.advance(14 * day - minute)
  for (const one of [early, late]) await patch(path(one), { status: 'running' })
  await tick()
  app.clock.advance(10 * minute)
  await tick()
  expect(await historyOf(early.enrollment)).toEqual(['w done', 'hello done'])
  expect(await historyOf(late.enrollment)).toEqual(['w done', 'hello skipped late'])
})

test('a message deferred to its send window is skipped if a pause ends over a day after it', async () => {
  app.clock.set(new Date(monday.getTime() + 56 * day))
  const window = { from: '13:00', to: '14:00', zone: 'workspace' }
  const id = await enabled({ send_window: window, steps: [send('hello')] })
  const { email, enrollment } = await enrolled(id)
  await tick()
  await patch(`/enrollments/${enrollment}`, { status: 'paused' })
  app.clock.advance(14 * day)
  await patch(`/enrollments/${enrollment}`, { status: 'running' })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred send_window', 'hello skipped late'])
  expect(await messagesTo(email)).toEqual([])
})
