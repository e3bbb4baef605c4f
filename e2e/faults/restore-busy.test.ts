import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@gable/server/test/support/database.ts'
import { gableWith } from '@gable/server/test/support/gable.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newBareDatabase } from './databases.ts'
import { openRestoreScene, start } from './restore-scene.ts'

/** How often; many times in the nightly run. */
const rounds = Math.ceil(Number(process.env['GABLE_FAULT_ROUNDS'] ?? 1) / 10)
vi.setConfig({ testTimeout: 60_000 + rounds * 120_000 })

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gable-restore-busy-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const count = 30

test('a backup of a busy server, restored after its worker was killed and released: no text leaves twice, and none that waited is lost', async ({
  annotate,
}) => {
  let waited = 0
  for (let round = 0; round < rounds; round++) {
    const name = `busy_${round}`
    await using scene = await openRestoreScene(folder, name)
    const { env, send, arrived } = scene
    const numbers = Array.from({ length: count }, (_, i) => `+1312555${3000 + i}`)
    const backup = join(folder, `${name}.backup`)
    {
      await using api = await start(env, 'api')
      await using worker = await start(env, 'worker')
      // Texts leave while the backup is made.
      await asOwner(env.DATABASE_URL, 'update senders set pace = 5')
      for (const to of numbers.slice(0, count / 2)) await send(api, to)
      const backing = gableWith(() => env).json('backup', backup)
      for (const to of numbers.slice(count / 2)) await send(api, to)
      await backing
      await sleep(Math.random() * 1500)
      worker.kill('SIGKILL')
      await worker.exit
    }
    const target = {
      ...env,
      ...(await newBareDatabase(`${name}_target`)),
      DATA_DIR: join(folder, `${name}_target`),
    }
    const gable = gableWith(() => target)
    await gable.json('restore', backup)
    await asOwner(target.DATABASE_URL, 'update senders set pace = 100')
    const waiting = await asOwner<{ to: string }>(
      target.DATABASE_URL,
      `select "to" from messages join outbox on message_id = messages.id where state = 'waiting'`,
    )
    waited += waiting.length
    await gable.json('restored', '--release', '--confirm-gap')
    await using _worker = await start(target, 'worker')
    const isThere = async () => (await arrived(waiting.map(({ to }) => to))).every((texts) => texts > 0)
    await vi.waitUntil(isThere, { timeout: 60_000, interval: 100 })
    await sleep(1000)
    expect(Math.max(...(await arrived(numbers)))).toBe(1)
  }
  await annotate(`${rounds} rounds of ${count} texts, ${waited} waited in the backups`)
})
