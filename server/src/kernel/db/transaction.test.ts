import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { NoteAdded } from '../../modules/timeline/events.ts'

const notes = async (url: string, workspaceId: string) =>
  (await asOwner(url, 'select data from events where workspace_id = $1 order by id', [workspaceId])).map(
    (row) => row['data'].body,
  )

test('what throws leaves nothing, and what returns leaves rows and events together', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const write = (body: string, fail: boolean) =>
    ctx.transaction(async (tx) => {
      await tx.emit(NoteAdded, { id: 'x', body })
      await tx.flush()
      await tx.emit(NoteAdded, { id: 'x', body: `${body}, once more` })
      if (fail) throw new Error('no')
    })
  await expect(write('lost', true)).rejects.toThrow('no')
  await write('kept', false)
  expect(await notes(app.databaseUrl, id)).toEqual(['kept', 'kept, once more'])
})

test('a transaction whose failure was swallowed does not pretend to have committed', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const swallowed = ctx.transaction(async (tx) => {
    await tx.emit(NoteAdded, { id: 'x', body: 'lost' })
    await tx.run({ text: 'select 1 / 0', values: [] }).catch(() => undefined)
  })
  await expect(swallowed).rejects.toThrow('had failed before its commit')
  expect(await notes(app.databaseUrl, id)).toEqual([])
})

test('a hundred failures give every connection back', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  const failing = () => ctx.transaction((tx) => tx.run({ text: 'select 1 / 0', values: [] }))
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, failing))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  const { pool } = app.house.database
  expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
})
