import { Type } from 'typebox'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { job } from './job.ts'
import { startWorker } from './worker.ts'

test('a job runs for its workspace if its transaction commits, and never otherwise', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const greet = job('greet', {
    payload: Type.Object({ name: Type.String() }),
    handle: async ({ workspaceId }, { name }) => void ran.push(`${workspaceId} ${name}`),
  })
  await using _worker = await startWorker(app.house, { jobs: [greet], periodicJobs: [] })
  const queue = (name: string, fail: boolean) =>
    ctx.transaction(async (tx) => {
      tx.enqueue(greet, { name })
      await tx.flush()
      if (fail) throw new Error('no')
    })
  await expect(queue('nobody', true)).rejects.toThrow('no')
  await queue('Ada', false)
  await queue('Eda', false)
  await vi.waitFor(
    () => expect(ran.toSorted()).toEqual([`${ctx.workspaceId} Ada`, `${ctx.workspaceId} Eda`]),
    5000,
  )
})

test('a job waits for its time', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_later') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const note = job('note', {
    payload: Type.Object({ name: Type.String() }),
    handle: async (_ctx, { name }) => void ran.push(name),
  })
  await using _worker = await startWorker(app.house, { jobs: [note], periodicJobs: [] })
  await ctx.transaction(async (tx) => {
    tx.enqueue(note, { name: 'tomorrow' }, { runAt: new Date(Date.now() + 86_400_000) })
    tx.enqueue(note, { name: 'now' }, { runAt: new Date(Date.now() - 1000) })
  })
  await vi.waitFor(() => expect(ran).toEqual(['now']), 5000)
})
