import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { raw } from '#kernel/db/sql.ts'
import { testApp } from '#test/support/app.ts'

const Row = Type.Object({ value: Type.Unknown(), written: Type.String() })

/** A type, a literal of the type, and the value that a query returns for it. */
const values: [type: string, literal: string, value: unknown][] = [
  ['text[]', '{}', []],
  ['text[]', '{buyer}', ['buyer']],
  ['text[]', '{buyer,condo}', ['buyer', 'condo']],
  [
    'text[]',
    '{"two words","a,b","say \\"hi\\"","back\\\\slash","{brace}",""}',
    ['two words', 'a,b', 'say "hi"', 'back\\slash', '{brace}', ''],
  ],
  ['text[]', '{NULL,"NULL",null_and_void,NULLABLE}', [null, 'NULL', 'null_and_void', 'NULLABLE']],
  ['text[]', '{José,買主,🏠}', ['José', '買主', '🏠']],
  ['timestamptz(3)', '2026-11-20 19:47:00+00', '2026-11-20T19:47:00.000Z'],
  ['timestamptz(3)', '2026-11-20 19:47:00.1+00', '2026-11-20T19:47:00.100Z'],
  ['timestamptz(3)', '2026-11-20 19:47:00.12+00', '2026-11-20T19:47:00.120Z'],
  ['timestamptz(3)', '2026-11-20 19:47:00.123+00', '2026-11-20T19:47:00.123Z'],
  ['timestamptz(3)', '2026-11-20 13:47:00.123-06', '2026-11-20T19:47:00.123Z'],
  ['date', '2026-11-20', '2026-11-20'],
  ['bigint', '9007199254740991', 9007199254740991],
  ['integer', '-1', -1],
  ['boolean', 'f', false],
  ['jsonb', '{"a": [1, null]}', { a: [1, null] }],
  ['text', '', ''],
]

test('reads every column type in use as it was written, and null as null', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  for (const [type, literal, value] of values) {
    const row = await ctx.db.one(Row)`select ${literal}::${raw(type)} as value, ${literal}::text as written`
    expect(row).toEqual({ value, written: literal })
    expect(await ctx.db.one(Row)`select null::${raw(type)} as value, '' as written`).toMatchObject({
      value: null,
    })
  }
})

test('columns may have any name', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  const Odd = Type.Object({ 'a "b" \\ `c`': Type.Integer(), constructor: Type.Integer() })
  const row = await ctx.db.one(Odd)`select 1 as "a ""b"" \\ \`c\`", 2 as "constructor"`
  expect(row).toEqual({ 'a "b" \\ `c`': 1, constructor: 2 })
})
