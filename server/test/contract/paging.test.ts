import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { listForm, ofEachForm } from './forms.ts'
import { emptyList, readPages } from './lists.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const listEndpoints = endpoints.filter(({ list }) => list)

describe.each(listEndpoints)('GET $path', ({ path }) => {
  let list: Awaited<ReturnType<typeof emptyList>>

  beforeAll(async () => {
    list = await emptyList(app, path)
    await list.add(Math.max(3, 9 - list.rows.length))
  })

  test('returns every row once, in order, with pages of any size', async () => {
    app.clock.advance(60_000)
    for (const limit of [1, 3, 4, 9, 10, 200]) {
      const pages = await readPages(list.page, limit)
      expect(pages.flat()).toEqual(list.rows)
      expect(pages).toHaveLength(Math.ceil(list.rows.length / limit))
    }
    expect((await list.agent.get(list.address)).body).toMatchObject({ has_more: false, next_cursor: null })
    expect((await list.page(`limit=${list.rows.length}`)).body).toMatchObject({
      has_more: false,
      next_cursor: null,
    })
    expect((await list.page(`limit=${list.rows.length - 1}`)).body).toMatchObject({
      has_more: true,
      next_cursor: expect.any(String),
    })
  })

  test('neither repeats nor skips a row while rows are added and removed', async () => {
    app.clock.advance(60_000)
    const before = [...list.rows]
    const gone = new Set<string>()
    const oldest = before.toReversed()
    const pages = await readPages(list.page, 3, async () => {
      await list.add(2)
      for (const row of list.remove === undefined
        ? []
        : [oldest.shift(), before.find((id) => !gone.has(id))]) {
        if (row !== undefined) gone.add(row)
        if (row !== undefined) await list.remove?.(row)
      }
    })
    const seen = pages.flat()
    expect(new Set(seen).size).toBe(seen.length)
    // New rows appear only in lists that end with the newest.
    expect(seen.filter((id) => before.includes(id) && !gone.has(id))).toEqual(
      before.filter((id) => !gone.has(id)),
    )
  })
})

/** One schema reads `limit`, before the list is read; test:hostile sends invalid ones to every list. */
describe.each(ofEachForm(listEndpoints, listForm))('the limit of GET $path', ({ path }) => {
  let page: Awaited<ReturnType<typeof emptyList>>['page']
  beforeAll(async () => void ({ page } = await emptyList(app, path)))

  test.each([1, 2, 199, 200])('accepts %i', async (limit) =>
    expect((await page(`limit=${limit}`)).status).toBe(200),
  )

  test.each([
    '0',
    '-1',
    '201',
    '1.5',
    'ten',
    '',
    '1e1',
    '0x10',
    '+5',
    '%205',
    '9'.repeat(20),
    'Infinity',
    'null',
    '1&limit=2',
  ])('rejects %s', async (limit) =>
    expect(await page(`limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_failed', details: [{ path: 'limit' }] } },
    }),
  )
})

test('filtered pages return each matching row once and no others', async () => {
  const list = await emptyList(app, '/contacts')
  await list.add(5)
  for (let i = 0; i < 5; i++)
    await list.agent.post('/contacts', { first_name: 'Bea', stage: 'SPHERE', tags: ['b'] })
  for (const query of ['source=Web', 'stage=LEAD', 'q=ada', 'q=ad', 'stage=LEAD&source=Web&q=ada']) {
    expect((await readPages((page) => list.page(`${query}&${page}`), 2)).flat(), query).toEqual(list.rows)
  }
  expect((await readPages((page) => list.page(`tag=b&${page}`), 2)).map((page) => page.length)).toEqual([
    2, 2, 1,
  ])
})
