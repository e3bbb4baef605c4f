import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { NoteAdded } from '../../modules/timeline/events.ts'

const notes = async (url: string, workspaceId: string) => {
  const text = 'select data from events where workspace_id = $1 and name = $2 order by id'
  const rows = await asOwner(url, text, [workspaceId, NoteAdded.name])
  return rows.map((row) => row['data'].body)
}

test('work that throws writes nothing; work that returns writes rows and events together', async () => {
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

test('a transaction with an ignored failure throws instead of committing', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const swallowed = ctx.transaction(async (tx) => {
    await tx.emit(NoteAdded, { id: 'x', body: 'lost' })
    await tx.run({ text: 'select 1 / 0', values: [] }).catch(() => undefined)
  })
  await expect(swallowed).rejects.toThrow('had failed before its commit')
  expect(await notes(app.databaseUrl, id)).toEqual([])
})

test('100 failed transactions release all connections', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  const failing = () => ctx.transaction((tx) => tx.run({ text: 'select 1 / 0', values: [] }))
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, failing))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  const { pool } = app.runtime.database
  expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
})

test('a handle without a workspace is an error', async () => {
  await using app = await testApp()
  const { database } = app.runtime
  const statement = { text: 'select 1', values: [] }
  await expect(database.reads('').run(statement)).rejects.toThrow('There is no workspace')
  await expect(database.transaction('', (tx) => tx.run(statement))).rejects.toThrow('There is no workspace')
})
