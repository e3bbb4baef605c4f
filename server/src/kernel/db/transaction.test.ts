import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { eventsNamed } from '#test/support/journal.ts'
import { NoteAdded } from '../../modules/timeline/events.ts'

const notes = async (url: string, workspaceId: string) =>
  (await eventsNamed(url, workspaceId, NoteAdded.name)).map(({ body }) => body)

test('a transaction writes all its events if its work returns, and none if it throws', async () => {
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

test('a transaction with a swallowed failure throws instead of committing', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const swallowed = ctx.transaction(async (tx) => {
    await tx.emit(NoteAdded, { id: 'x', body: 'lost' })
    await tx.run({ text: 'select 1 / 0', values: [] }).catch(() => undefined)
  })
  await expect(swallowed).rejects.toThrow('had failed before its commit')
  expect(await notes(app.databaseUrl, id)).toEqual([])
})

test('a query made after the transaction has failed is not sent', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const straggler = Promise.withResolvers<void>()
  const failing = ctx.transaction(async (tx) => {
    await tx.run({ text: 'select 1', values: [] })
    const late = async () => {
      await straggler.promise
      await tx.emit(NoteAdded, { id: 'x', body: 'lost' })
      await tx.flush()
    }
    await Promise.all([Promise.reject(new Error('no')), (stray = late())])
  })
  let stray: Promise<void> | undefined
  await expect(failing).rejects.toThrow('no')
  straggler.resolve()
  await expect(stray).rejects.toThrow('The transaction is over.')
  expect(await notes(app.databaseUrl, id)).toEqual([])
})

test('a value that cannot be sent rolls back the whole transaction', async () => {
  await using app = await testApp()
  const { database } = app.runtime
  const circular: { self?: unknown } = {}
  circular.self = circular
  const beside = (first: boolean) =>
    database.directory.transaction(async (tx) => {
      const wrong = () => tx.run`select ${circular}::text`
      const right = () => tx.run`update workspaces set name = 'Lost'`
      await Promise.allSettled(first ? [wrong(), right()] : [right(), wrong()])
    })
  const { id } = await app.workspace()
  for (const first of [true, false]) {
    await expect(beside(first)).rejects.toThrow('A value could not be sent.')
    const [row] = await asOwner<{ name: string }>(
      app.databaseUrl,
      'select name from workspaces where id = $1',
      [id],
    )
    expect(row?.name).not.toBe('Lost')
  }
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
