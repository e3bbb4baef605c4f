import { Type } from 'typebox'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { job } from './job.ts'
import { startWorker } from './worker.ts'

test('a job runs in its workspace only if its transaction commits', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const greet = job('greet', {
    payload: Type.Object({ name: Type.String() }),
    handle: async ({ workspaceId }, { name }) => void ran.push(`${workspaceId} ${name}`),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [greet], periodicJobs: [] })
  const queue = (name: string, fail: boolean) =>
    ctx.transaction(async (tx) => {
      tx.enqueue(greet, { name })
      await tx.flush()
      if (fail) throw new Error('no')
    })
  await expect(queue('Zoe', true)).rejects.toThrow('no')
  await queue('Ada', false)
  await queue('Eda', false)
  await vi.waitFor(
    () => expect(ran.toSorted()).toEqual([`${ctx.workspaceId} Ada`, `${ctx.workspaceId} Eda`]),
    30_000,
  )
})

test('a job does not run before its time', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_later') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const note = job('note', {
    payload: Type.Object({ name: Type.String() }),
    handle: async (_ctx, { name }) => void ran.push(name),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [note], periodicJobs: [] })
  await ctx.transaction(async (tx) => {
    tx.enqueue(note, { name: 'tomorrow' }, { runAt: new Date(Date.now() + 86_400_000) })
    tx.enqueue(note, { name: 'now' }, { runAt: new Date(Date.now() - 1000) })
  })
  await vi.waitFor(() => expect(ran).toEqual(['now']), 30_000)
})
