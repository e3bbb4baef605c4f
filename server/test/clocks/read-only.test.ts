import pg from 'pg'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { job } from '#kernel/jobs/job.ts'
import { startWorker } from '#kernel/jobs/worker.ts'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'

test('after the database was read-only for a while, everything writes again, in every pool', async () => {
  const databaseUrl = await freshDatabase('read_only')
  const name = new URL(databaseUrl).pathname.slice(1)
  await using app = await testApp({ databaseUrl })
  const { ctx } = await app.workspace()
  const agent = await app.credential()
  const ran: string[] = []
  const greet = job('greet', {
    payload: Type.Object({ name: Type.String() }),
    handle: async (_, { name: who }) => void ran.push(who),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [greet], periodicJobs: [] })
  await using queue = app.runtime.database.across('gable_engine')
  const readiness = async () => {
    const response = await fetch(`${app.url}/readyz`)
    return [response.status, ((await response.json()) as { reason?: string }).reason]
  }
  const writes = () =>
    Promise.all([
      ...Array.from({ length: 12 }, () => agent.post('/contacts', { first_name: 'Ada' })),
      app.runtime.database.directory.run`update workspaces set name = name where id = ${ctx.workspaceId}`,
      queue.run`update automation_lanes set fence = fence where workspace_id = ${ctx.workspaceId}`,
    ])
  await writes()
  expect(await readiness()).toEqual([200, undefined])

  const owner = new pg.Client({
    connectionString: databaseUrl,
    options: '-c default_transaction_read_only=off',
  })
  await owner.connect()
  try {
    const setReadOnly = (on: boolean) =>
      owner.query(`alter database ${name} set default_transaction_read_only = ${on ? 'on' : 'off'}`)
    await setReadOnly(true)
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    // New sessions keep the setting for as long as they last.
    await eventually(async () => expect(await readiness()).toEqual([503, 'the database is read-only']))
    expect((await agent.post('/contacts', { first_name: 'Ada' })).status).toBe(503)
    await setReadOnly(false)
  } finally {
    await owner.end()
  }
  await eventually(async () => expect(await readiness()).toEqual([200, undefined]))
  await eventually(async () => {
    const statuses = (await writes()).map((one) => (typeof one === 'number' ? 201 : one.status))
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
  await ctx.transaction(async (tx) => tx.enqueue(greet, { name: 'Zoe' }))
  await eventually(() => expect(ran).toEqual(['Zoe']))
})
