import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { clockMetrics } from '#kernel/http/metrics.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/support/app.ts'
import { wrongClock } from '#test/support/clock.ts'
import { clockWatch } from './clock-watch.ts'

const minute = 60_000

test('a process with a wrong clock is not ready, until its clock is right', async () => {
  const clock = wrongClock(10 * minute)
  await using app = await testApp({ clock })
  const readiness = async () => {
    const response = await fetch(`${app.url}/readyz`)
    return [response.status, ((await response.json()) as { reason?: string }).reason]
  }
  expect(await readiness()).toEqual([
    503,
    expect.stringMatching(/^the clock of this machine is \d+ s ahead of PostgreSQL's$/),
  ])
  clock.advance(-10 * minute)
  await vi.waitFor(async () => expect(await readiness()).toEqual([200, undefined]), 30_000)
})

test.each([
  [0, 'silent', true],
  [-10_000, 'warn', true],
  [10_000, 'warn', true],
  [-minute, 'error', false],
  [minute, 'error', false],
] as const)(
  'a clock that is %i ms ahead: logs at the level %s, may send: %s',
  async (aheadMs, level, isRight) => {
    await using app = await testApp()
    const log = createLog('silent')
    const said: string[] = []
    log.warn = (() => said.push('warn')) as typeof log.warn
    log.error = (() => said.push('error')) as typeof log.error
    const clock = wrongClock(aheadMs)
    const watch = clockWatch(app.runtime.database, clock, log)
    await using _ = await watch.start()
    expect(said).toEqual(level === 'silent' ? [] : [level])
    expect(watch.isRight()).toBe(isRight)
    // A busy machine responds late.
    expect(Math.abs(watch.aheadMs() - aheadMs)).toBeLessThan(1500)
    const registry = new Registry()
    clockMetrics(registry, watch)
    const [, seconds] = /^gable_clock_ahead_seconds (\S+)$/m.exec(await registry.metrics()) ?? []
    expect(Math.abs(Number(seconds) - aheadMs / 1000)).toBeLessThan(1.5)
    // It notices at once that it was set.
    clock.advance(-aheadMs + 2 * minute)
    expect(watch.isRight()).toBe(false)
  },
)
