import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { gableWith } from '#test/support/gable.ts'
import { createMember, createOffice } from '../../workspaces/public.ts'

let app: TestApp
let workspace: TestWorkspace
let client: Client
let folder: string
let agent: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  client = await workspace.credential()
  folder = await mkdtemp(join(tmpdir(), 'gable-import-'))
  await createOffice(workspace.ctx, { name: 'Evanston' })
  const email = `theo-${workspace.id}@lantern.example`
  agent = (await createMember(workspace.ctx, { name: 'Theo', email, role: 'agent' })).id
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))

async function run(text: string | Buffer, ...options: string[]) {
  const file = join(folder, 'listings.csv')
  await writeFile(file, text)
  return gable(['listings', 'import', file, '--workspace', workspace.id, ...options])
}
const listed = async () => (await client.get('/listings?limit=200')).body['data']

const reso =
  () => `\uFEFFListingId,StandardStatus,ListPrice,StreetNumber,StreetDirPrefix,StreetName,StreetSuffix,City,StateOrProvince,PostalCode,BedroomsTotal,ListAgentEmail,ListingContractDate,PublicRemarks\r
M-1,ActiveUnderContract,"$1,250,000.50",48,N,Alder,Court,Evanston,Illinois,60201,3,THEO-${workspace.id}@lantern.example,11/20/2026,"A line,
and another."\r
M-2,Coming Soon,475000,12,,Elm,Street,Evanston,IL,60202,,theo-${workspace.id}@lantern.example,2026-11-01,\r
`

test('a RESO file is imported, a dry run writes nothing, and a second import changes nothing', async () => {
  const dry = await run(reso(), '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('2 rows: 2 created, 0 updated') })
  expect(dry.out).toContain('dry run: nothing was written')
  expect(await listed()).toEqual([])
  expect(await run(reso())).toMatchObject({
    code: 0,
    out: '2 rows: 2 created, 0 updated, 0 unchanged, 0 not imported.\n',
  })
  const rows = await listed()
  expect(rows).toMatchObject([
    { mls_number: 'M-2', status: 'coming_soon', street_name: 'Elm Street', bedrooms: null },
    {
      mls_number: 'M-1',
      status: 'active_under_contract',
      list_price: 1_250_000.5,
      street_name: 'N Alder Court',
      state: 'IL',
      listed_on: '2026-11-20',
      list_agent_id: agent,
      public_remarks: 'A line,\nand another.',
    },
  ])
  expect((await run(reso())).out).toBe(
    '2 rows: 0 created, 0 updated, 2 unchanged, 0 not imported. Nothing changes.\n',
  )
  expect(await listed()).toEqual(rows)
})

test('errors have a line and column, valid rows are still imported, and the exit code is 1', async () => {
  const text = `mls_number,list_price,status,list_office_name,listed_on,public_remarks
F-1,100,active,Evanston,,
F-2,cheap,active,Evanston,,"Two
lines"
F-3,100,sold,Evanston,13/40/2026,
F-4,100,active,Nowhere,,
F-5,100,active,Evanston,,No kids.
F-1,100,active,Evanston,,
F-6,100,active,,,
,100,active,Evanston,,
F-7,100,active,Evanston,,,extra
`
  const { code, out } = await run(text)
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    '9 rows: 1 created, 0 updated, 0 unchanged, 8 not imported.',
    'Line 3, column 2 (list_price): must be number or null',
    expect.stringMatching(/^Line 5, column 3 \(status\): must be one of active, /),
    'Line 5, column 5 (listed_on): must be a valid date',
    'Line 6, column 4 (list_office_name): no office has this name',
    expect.stringMatching(/^Line 7, column 6 \(public_remarks\): the fair housing rules flag “No kids” /),
    'Line 8, column 1 (mls_number): is that of line 2 too',
    'Line 9: list_agent_id is required unless list_office_id is set',
    'Line 10, column 1 (mls_number): is required unless street_name and postal_code are set',
    'Line 11: has 7 cells, and the header has 6',
    '',
  ])
})

test('an unknown header is reported and stops the import, except with --ignore-unknown', async () => {
  const before = await listed()
  const text = `mls_number,list_prise,Foo\nU-1,5,x\n`
  const { code, err } = await run(text)
  expect(code).not.toBe(0)
  expect(err).toContain('Line 1, column 2: “list_prise” is not a known header; did you mean list_price?')
  expect(err).toContain('Line 1, column 3: “Foo” is not a known header.')
  expect(await listed()).toEqual(before)
  expect((await run(text, '--ignore-unknown', '--list-agent', agent)).out).toMatch(/^1 rows: 1 created/)
})

test.each([
  ['', 'The file is empty.'],
  ['mls_number,ListingId\n', 'columns 1 and 2 both hold mls_number'],
  ['mls_number\n"open', 'is not CSV'],
])('%j is rejected', async (text, message) => {
  const { code, err } = await run(text)
  expect([code !== 0, err]).toEqual([true, expect.stringContaining(message)])
})

test('imports more rows than fit in one transaction from standard input, and prints JSON', async () => {
  const rows = Array.from({ length: 230 }, (_, i) => `L-${i % 220},${i}`)
  const input = `mls_number,list_price\n${rows.join('\n')}\n`
  const args = ['listings', 'import', '-', '--workspace', workspace.id, '--list-agent', agent, '--json']
  const first = await gable(args, input)
  expect(JSON.parse(first.out)).toMatchObject({ rows: 230, created: 220, failed: 10, dry_run: false })
  const second = await gable(args, input)
  expect(JSON.parse(second.out)).toMatchObject({ created: 0, updated: 0, unchanged: 220, failed: 10 })
})
