import { expect, test, vi } from 'vitest'
import { newDataDirectory } from './data-directory.ts'
import { newDatabase } from './databases.ts'
import { spawnGable, startGable } from './gable-process.ts'
import { holdRequest } from './held-request.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 90_000 })

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s: what is in flight is answered, PostgreSQL ends, the exit code is 0',
  async (signal) => {
    await using data = await newDataDirectory()
    await using gable = await startGable({ DATA_DIR: data.path })
    const key = gable.ready.workspaces[0]?.api_key ?? ''
    const held = await holdRequest(`${gable.base}/contacts`, key, { last_name: 'In flight' })
    expect(await data.postmaster()).toBeDefined()

    gable.kill(signal)
    await gable.until(() => gable.stderr().includes('"stopping"'))
    const accepts = () =>
      fetch(`${gable.origin}/livez`).then(
        () => true,
        () => false,
      )
    await vi.waitUntil(async () => !(await accepts()), { timeout: 5000, interval: 10 })
    expect(await held.finish()).toMatchObject({ status: 201, body: { last_name: 'In flight' } })
    const since = performance.now()
    expect(await gable.exit).toEqual({ code: 0, signal: null })
    expect(performance.now() - since).toBeLessThan(5000)
    expect(await data.postmaster()).toBeUndefined()
  },
)

test('a second SIGINT ends it at once, whatever is in flight', async () => {
  const env = await newDatabase('second_signal')
  await using gable = await startGable(env)
  await holdRequest(`${gable.base}/contacts`, (await newKeys(env.DATABASE_URL, 1)).next(), {})
  gable.kill('SIGINT')
  await gable.until(() => gable.stderr().includes('"stopping"'))
  const since = performance.now()
  // One key pressed may come twice within a moment, from the terminal and from npm, and counts once: press until it ends.
  const pressing = setInterval(() => gable.kill('SIGINT'), 100)
  expect(await gable.exit).toEqual({ code: 130, signal: null })
  clearInterval(pressing)
  expect(performance.now() - since).toBeLessThan(3000)
})

test('a SIGINT that comes twice in the same moment, from the terminal and from npm, is one', async () => {
  const env = await newDatabase('doubled_signal')
  await using gable = await startGable(env)
  const held = await holdRequest(`${gable.base}/contacts`, (await newKeys(env.DATABASE_URL, 1)).next(), {})
  gable.kill('SIGINT')
  await gable.until(() => gable.stderr().includes('"stopping"'))
  gable.kill('SIGINT')
  expect(await held.finish()).toMatchObject({ status: 201 })
  expect(await gable.exit).toEqual({ code: 0, signal: null })
})

test('a signal that comes while it starts ends it too, and PostgreSQL with it', async () => {
  await using data = await newDataDirectory()
  await using gable = spawnGable({ DATA_DIR: data.path })
  await gable.until(() => gable.stderr().includes('PostgreSQL started'))
  gable.kill('SIGTERM')
  expect(await gable.exit).toEqual({ code: 0, signal: null })
  expect(await data.postmaster()).toBeUndefined()
})
