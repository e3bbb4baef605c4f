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
F-3,100,gone,Evanston,13/40/2026,
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
  ['mls_number\n"open', 'is not CSV'],
])('%j is rejected', async (text, message) => {
  const { code, err } = await run(text)
  expect([code !== 0, err]).toEqual([true, expect.stringContaining(message)])
})

let serial = 0

const only = async (text: string | Buffer, ...options: string[]) => {
  const { code, out, err } = await run(text, '--list-agent', agent, ...options)
  expect([code, out.split('\n')[0], err.includes('Line')]).toEqual([
    0,
    expect.stringContaining('1 rows: 1 created'),
    false,
  ])
  const [listing] = await listed()
  return listing
}

test.for<[header: string, cell: string, field: string, value: unknown]>([
  ['Price', '$1,250,000 ', 'list_price', 1_250_000],
  ['Asking Price', '$475K', 'list_price', 475_000],
  ['Sold Price', 'USD 450,000', 'close_price', 450_000],
  ['Beds', '3', 'bedrooms', 3],
  ['# of Beds', '3 BR', 'bedrooms', 3],
  ['Baths', '2.5', 'bathrooms_total', 2.5],
  ['Baths', '2½', 'bathrooms_total', 2.5],
  ['Total Baths', '2/1', 'bathrooms_total', 2.5],
  ['Baths', '2.1', 'bathrooms_total', 2.5],
  ['Total Baths', '3.2', 'bathrooms_total', 4],
  ['City', 'N/A', 'city', null],
  ['Bathrooms', '2 full, 1 half', 'bathrooms_total', 2.5],
  ['Sq. Ft.', '1,840 sq ft', 'living_area', 1840],
  ['LotSizeSquareFeet', '10890', 'lot_size_acres', 0.25],
  ['Lot Size', '10,890 sq ft', 'lot_size_acres', 0.25],
  ['Lot Size (acres)', '0.25', 'lot_size_acres', 0.25],
  ['Lot Size', '0.25 acres', 'lot_size_acres', 0.25],
  ['Yr. Built', '1926', 'year_built', 1926],
  ['Garage', '2 cars', 'garage_spaces', 2],
  ['List Date', '11/5/26', 'listed_on', '2026-11-05'],
  ['Listed', '46346', 'listed_on', '2026-11-20'],
  ['Sold Date', '5-Nov-26', 'closed_on', '2026-11-05'],
  ['Exp. Date', 'Nov 5, 2026', 'expires_on', '2026-11-05'],
  ['Remarks', 'Brick Georgian.', 'public_remarks', 'Brick Georgian.'],
  ['Property Type', 'Single Family Home', 'property_type', 'residential'],
  ['Type', 'Lots/Land', 'property_type', 'land'],
  ['Type', 'Multi-Family', 'property_type', 'residential_income'],
  ['Town', 'Évanston', 'city', 'Évanston'],
  ['St.', 'Illinois', 'state', 'IL'],
  ['Zip', '60201', 'postal_code', '60201'],
  ['ZIP Code', '60201.0', 'postal_code', '60201'],
  ['Zip/Postal', '602014410', 'postal_code', '60201-4410'],
  ['Baths', 'N/A', 'bathrooms_total', null],
  ['List Date', '—', 'listed_on', null],
])('the column %j with %j is %s %j', async ([header, cell, field, value]) => {
  const id = `C-${serial++}`
  expect(await only(`MLS #;${header}\n${id};${cell}\n`)).toMatchObject({ mls_number: id, [field]: value })
})

test.for<[words: string, status: string]>([
  ['Sold', 'closed'],
  ['Contingent', 'active_under_contract'],
  ['ACT', 'active'],
  ['Cancelled', 'canceled'],
  ['PEND', 'pending'],
  ['Temp Off Market', 'hold'],
  ['Back on Market', 'active'],
  ['CTG', 'active_under_contract'],
  ['Under Contract', 'active_under_contract'],
  ['Leased', 'closed'],
  ['Exp.', 'expired'],
  ['Wdn', 'withdrawn'],
])('the status %j is %s', async ([words, status]) => {
  const text = `MLS Number\tStatus\tPrice\nS-${serial++}\t${words}\t100\n`
  expect(await only(text)).toMatchObject({ status })
})

test.for<[zip: string, state: string, code: string]>([
  ['2108', 'MA', '02108'],
  ['2108-1234', 'Massachusetts', '02108-1234'],
  ['21081234', 'MA', '02108-1234'],
  ['7302', 'NJ', '07302'],
  ['901', 'PR', '00901'],
  ['501', 'NY', '00501'],
  ['6830', '', '06830'],
])('the ZIP %s in %j is %s', async ([zip, state, code]) => {
  expect(await only(`mls_number,Zip,State\nZ-${serial++},${zip},${state}\n`)).toMatchObject({
    postal_code: code,
  })
})

test('a ZIP with too few digits for its state is an error', async () => {
  const { code, out } = await run('mls_number,Zip,State\nZ-x,6020,IL\nZ-y,21,MA\n', '--list-agent', agent)
  expect([code, out.split('\n').slice(1, 3)]).toEqual([
    1,
    ['Line 2, column 2 (Zip): is not a ZIP code of IL', 'Line 3, column 2 (Zip): is not a ZIP code of MA'],
  ])
})

test.for<[address: string, parts: Record<string, string>]>([
  ['48 N Alder Court', { street_number: '48', street_name: 'N Alder Court' }],
  [
    '48 N Alder Court #3B, Evanston, IL 60201',
    {
      street_number: '48',
      street_name: 'N Alder Court',
      unit_number: '3B',
      city: 'Evanston',
      state: 'IL',
      postal_code: '60201',
    },
  ],
  [
    '48 Alder Ct Apt 3, Evanston IL 60201-4410',
    { street_name: 'Alder Ct', unit_number: '3', city: 'Evanston', state: 'IL', postal_code: '60201-4410' },
  ],
  [
    '48-50 Alder Ct, Unit 3, Evanston, Illinois, 60201',
    { street_number: '48-50', unit_number: '3', city: 'Evanston', state: 'IL' },
  ],
  [
    '123 1/2 Main St, Boston, MA 02108, USA',
    { street_number: '123 1/2', street_name: 'Main St', city: 'Boston', state: 'MA' },
  ],
  ['One Wacker Drive', { street_name: 'One Wacker Drive' }],
  ['48 Alder Ct, 2B, Evanston, IL 60201', { street_name: 'Alder Ct', unit_number: '2B', city: 'Evanston' }],
  ['48 Alder Ct, 2B', { street_name: 'Alder Ct', unit_number: '2B' }],
])('the address %j is split', async ([address, parts]) => {
  expect(
    await only(`ListingKey,Address,zip\nA-${serial++},"${address}",${parts['postal_code'] ?? '60201'}\n`),
  ).toMatchObject(parts)
})

test.for<[address: string, unit: string | null, street: string]>([
  ['48 Alder Ct, 2B', '2B', 'Alder Ct'],
  ['48 Alder Ct, Apt 2B', '2B', 'Alder Ct'],
  ['48 Alder Ct, #2B', '2B', 'Alder Ct'],
  ['48 Alder Ct #2B', '2B', 'Alder Ct'],
  ['48 Alder Ct, 12', '12', 'Alder Ct'],
  ['48 Alder Ct, B', 'B', 'Alder Ct'],
  ['48 Alder Ct, PH-3', 'PH-3', 'Alder Ct'],
  ['48 Alder Ct, 2nd Floor', '2nd Floor', 'Alder Ct'],
  ['48 Alder Ct, Rear', 'Rear', 'Alder Ct'],
  ['48 Alder Ct, 2B, Evanston, IL 60201', '2B', 'Alder Ct'],
  ['48 Alder Ct, Unit 2B, EVANSTON', '2B', 'Alder Ct'],
  ['48 Alder Ct, NE', null, 'Alder Ct, NE'],
  ['48 Alder Ct, Building C Upper Level', 'Building C Upper Level', 'Alder Ct'],
  ['48 Alder Ct, Evanston', null, 'Alder Ct'],
])(
  'beside columns of city, state and ZIP, the address %j has the unit %j',
  async ([address, unit, street]) => {
    const id = `U-${serial++}`
    expect(
      await only(`mls_number,Address,City,State,Zip\n${id},"${address}",Evanston,IL,60201\n`),
    ).toMatchObject({
      street_number: '48',
      street_name: street,
      unit_number: unit,
      city: 'Evanston',
      state: 'IL',
    })
  },
)

test('an export in RESO’s names has all that Gable stores of it', async () => {
  const text = `ListingKey,ListingId,StandardStatus,ListPrice,StreetNumber,StreetDirPrefix,StreetName,StreetSuffix,StreetDirSuffix,PostalCode,BathroomsTotalInteger,BathroomsFull,BathroomsHalf,LotSizeSquareFeet,UnparsedAddress,ModificationTimestamp,,
key-1,R-1,Active,100,48,N,Alder,Court,E,60201,3,2,1,43560,"48 N Alder Court E, Evanston, IL 60201",2026-11-20T10:00:00Z,,
,,,,,,,,,,,,,,,,,
`
  expect(await only(text)).toMatchObject({
    mls_number: 'R-1',
    street_name: 'N Alder Court E',
    bathrooms_total: 2.5,
    lot_size_acres: 1,
    city: null,
  })
})

const redfin = `SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,SQUARE FEET,LOT SIZE,YEAR BUILT,DAYS ON MARKET,$/SQUARE FEET,HOA/MONTH,STATUS,NEXT OPEN HOUSE START TIME,NEXT OPEN HOUSE END TIME,URL (SEE https://www.redfin.example/market FOR INFO ON PRICING),SOURCE,MLS#,FAVORITE,INTERESTED,LATITUDE,LONGITUDE
"In accordance with local MLS rules, some MLS listings are not included in the download",,,,,,,,,,,,,,,,,,,,,,,,,,
MLS Listing,,Single Family Residential,48 N Alder Ct,Evanston,IL,60201,"475,000",3,2.5,Downtown,1840,7405,1926,12,258,,Active,,,https://www.redfin.example/1,MRED,RF-1,N,Y,42.0451,-87.6877
`

test('an export of Redfin is imported as it is: the better of two columns, square feet as acres, no note', async () => {
  const { code, out } = await run(redfin, '--list-agent', agent)
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      '1 rows: 1 created, 0 updated, 0 unchanged, 0 not imported.',
      'Line 1: column 4 (ADDRESS) holds address, so column 11 (LOCATION) is ignored.',
      'Line 2 is no listing and was skipped: it has only a note, “In accordance with local MLS rules, some MLS listings are not included in the download”.',
      '',
    ],
  ])
  expect((await listed())[0]).toMatchObject({
    mls_number: 'RF-1',
    source_system: 'MRED',
    street_number: '48',
    street_name: 'N Alder Ct',
    living_area: 1840,
    lot_size_acres: 0.17,
    list_price: 475_000,
  })
})

test.for<[headers: string, cells: string, part: Record<string, unknown>, warning: string]>([
  [
    'ListingId,mls_number',
    'other,D-1',
    { mls_number: 'D-1' },
    'column 2 (mls_number) holds mls_number, so column 1 (ListingId) is ignored',
  ],
  [
    'mls_number,MlsStatus,StandardStatus',
    'D-2,x,Pending',
    { status: 'pending' },
    'column 3 (StandardStatus) holds status, so column 2 (MlsStatus) is ignored',
  ],
  [
    'mls_number,Sale Price,ClosePrice',
    'D-3,1,2',
    { close_price: 2 },
    'column 3 (ClosePrice) holds close_price',
  ],
  [
    'mls_number,On Market Date,ListingContractDate',
    'D-4,1/1/2026,1/2/2026',
    { listed_on: '2026-01-02' },
    'column 3',
  ],
  [
    'mls_number,Current Price,Price,ListPrice',
    'D-5,1,2,3',
    { list_price: 3 },
    'column 4 (ListPrice) holds list_price, so column 3 (Price) and column 2 (Current Price) are ignored',
  ],
  [
    'mls_number,City,City',
    'D-6,Evanston,Chicago',
    { city: 'Evanston' },
    'column 2 (City) holds city, so column 3 (City) is ignored',
  ],
])('of the columns %j the better one is used, with a warning', async ([headers, cells, part, warning]) => {
  const { out } = await run(`${headers}\n${cells}\n`, '--list-agent', agent)
  expect(out).toMatch(/^1 rows: 1 created/)
  expect(out).toContain(warning)
  expect((await listed())[0]).toMatchObject(part)
})

test.for<[header: string, cell: string, acres: number]>([
  ['Lot Size', '7405', 0.17],
  ['LOT SIZE', '1742400', 40],
  ['Lot Size', '0.25', 0.25],
  ['Lot Size', '12', 12],
  ['Lot Size (sq ft)', '500', 0.0115],
  ['Lot Size (m²)', '1012', 0.2501],
  ['Lot Size', '1,012 sq m', 0.2501],
  ['Lot Size', '2 ha', 4.9421],
  ['Lot Size (hectares)', '2', 4.9421],
  ['Lot Size', '640 acres', 640],
  ['Acres', '10,890 sq ft', 0.25],
  ['Lot Sq Ft', '0.25 acres', 0.25],
  ['LotSizeSquareFeet', '10890', 0.25],
  ['Lot Area', '1210 sq yd', 0.25],
])('a lot of %j %j has %d acres', async ([header, cell, acres]) => {
  expect(await only(`mls_number;${header}\nLS-${serial++};${cell}\n`)).toMatchObject({
    lot_size_acres: acres,
  })
})

test('the units of a lot may have a column; a living area may be in square meters; what could be either is an error', async () => {
  expect(await only(`mls_number,LotSizeArea,LotSizeUnits\nLS-${serial++},500,Square Feet\n`)).toMatchObject({
    lot_size_acres: 0.0115,
  })
  expect(await only(`mls_number,LotSizeArea,LotSizeUnits\nLS-${serial++},500,Acres\n`)).toMatchObject({
    lot_size_acres: 500,
  })
  expect(await only(`mls_number,Living Area (m²)\nLS-${serial++},120\n`)).toMatchObject({ living_area: 1292 })
  expect((await run(`mls_number,Lot Size\nLS-${serial++},500\n`, '--list-agent', agent)).out).toContain(
    'Line 2, column 2 (Lot Size): does not say whether it is acres or square feet',
  )
})

test.for<[header: string, cell: string, message: string]>([
  ['MLS #', '1.23457E+11', 'was rounded by a spreadsheet'],
  ['MLS #', '1,23457E+11', 'was rounded by a spreadsheet'],
  ['ListingKey', '1.2E+15', 'was rounded by a spreadsheet'],
  ['MLS #', '1234567890123450000', 'was rounded to 15 digits'],
  ['MLS #', '5-Nov', 'was turned into a date'],
  ['MLS #', 'Nov-05', 'was turned into a date'],
  ['MLS #', '11/5/2026', 'was turned into a date'],
  ['MLS #', '2026-11-05 00:00:00', 'was turned into a date'],
  ['MLS #', '########', 'is what a spreadsheet shows if a column is too narrow'],
  ['MLS #', '#REF!', 'is the error of a formula'],
  ['Street Number', '14-Dec', 'was turned into a date'],
  ['Unit', '3-May', 'was turned into a date'],
  ['Zip', '6.02E+08', 'was rounded'],
  ['City', '#NAME?', 'is the error of a formula'],
  ['Price', '######', 'is what a spreadsheet shows if a column is too narrow'],
])('the column %j with %j makes the row an error: it %s', async ([header, cell, message]) => {
  const id = header === 'MLS #' || header === 'ListingKey' ? [] : ['mls_number', `X-${serial++}`]
  const { code, out } = await run(
    `${[header, ...id.slice(0, 1)]}\n"${cell}"${id.slice(1).map((one) => `,${one}`)}\n`,
    '--list-agent',
    agent,
  )
  expect([code, out]).toEqual([1, expect.stringContaining(`Line 2, column 1 (${header}): ${message}`)])
  expect(out).toMatch(/^1 rows: 0 created/)
})

test('an MLS number that has lost its zeros is an error, and one that a program wrote with decimals is read', async () => {
  expect(await only('mls_number\n00123450\n')).toMatchObject({ mls_number: '00123450' })
  const { code, out } = await run('mls_number\n123450\n', '--list-agent', agent)
  expect([code, out]).toEqual([
    1,
    expect.stringContaining(
      'Line 2, column 1 (mls_number): is 00123450 without its zeros, which a spreadsheet has removed.',
    ),
  ])
  expect(await only('mls_number\n777001.0\n')).toMatchObject({ mls_number: '777001' })
})

test('lines above the header, repeated headers, totals and notes are skipped with a warning', async () => {
  const text = `Lantern & Oak Realty,,\r
Active listings as of 11/5/2026,,\r
,,\r
Exported by,Theo,\r
MLS #,Price,City\r
T-1,100,Evanston\r
MLS #,Price,City\r
T-2,200,Evanston\r
Total,300,\r
Grand Total: 2 listings,,\r
Count: 2,,\r
Data deemed reliable but not guaranteed,,\r
`
  const { code, out } = await run(text, '--list-agent', agent)
  expect([code, out.split('\n')]).toEqual([
    0,
    [
      '2 rows: 2 created, 0 updated, 0 unchanged, 0 not imported.',
      'Line 1 is above the header and was skipped.',
      'Line 2 is above the header and was skipped.',
      'Line 4 is above the header and was skipped.',
      'Line 7 is no listing and was skipped: it repeats the header.',
      'Line 9 is no listing and was skipped: it has totals.',
      'Line 10 is no listing and was skipped: it has totals.',
      'Line 11 is no listing and was skipped: it has totals.',
      'Line 12 is no listing and was skipped: it has only a note, “Data deemed reliable but not guaranteed”.',
      '',
    ],
  ])
})

test.for<[name: string, text: (table: string) => Buffer]>([
  ['UTF-16 with a mark and tabs', (table) => Buffer.from(`\uFEFF${table.replaceAll(',', '\t')}`, 'utf16le')],
  ['UTF-16, most significant byte first', (table) => Buffer.from(`\uFEFF${table}`, 'utf16le').swap16()],
  ['semicolons', (table) => Buffer.from(table.replaceAll(',', ';'))],
  ['tabs and quotes', (table) => Buffer.from(table.replaceAll(/[^,\n]+/g, '"$&"').replaceAll(',', '\t'))],
  ['CR alone', (table) => Buffer.from(table.replaceAll('\n', '\r'))],
  ['blank columns at the end', (table) => Buffer.from(table.replaceAll('\n', ',,,\n'))],
  ['blank columns at the start', (table) => Buffer.from(table.replaceAll(/^/gm, ','))],
  ['a mark and sep=', (table) => Buffer.from(`\uFEFFsep=,\n${table}`)],
  ['title lines and semicolons', (table) => Buffer.from(`Export\n\n${table.replaceAll(',', ';')}`)],
])('a file of %s is read', async ([, text]) => {
  const id = `F-${serial++}`
  expect(await only(text(`MLS #,Price,City\n${id},100,Évanston\n`))).toMatchObject({
    mls_number: id,
    list_price: 100,
    city: 'Évanston',
  })
})

test('a file of Windows-1252 has its characters, and one of an unknown encoding is an error with its line', async () => {
  const bytes = Buffer.from(`MLS #,Remarks\nW-1,"Caf\xe9 \x96 the seller\x92s"\n`, 'latin1')
  expect(await only(bytes)).toMatchObject({ public_remarks: 'Café – the seller’s' })
  const unknown = Buffer.from('MLS #,Remarks\nW-2,\xcc\xee\xf1\xea\xe2\xe0\n', 'latin1')
  expect((await run(unknown)).err).toContain('Line 2 is not CSV: the character encoding is unknown.')
  expect(await only(unknown, '--encoding', 'windows-1251')).toMatchObject({ public_remarks: 'Москва' })
})

test('remarks for agents are never imported as public ones', async () => {
  expect((await run('MLS #,Private Remarks\nP-1,x\n')).err).toContain(
    '“Private Remarks” is not a known header',
  )
})

test('a file with another delimiter is an error that says which there are, and one with no text is named', async () => {
  expect((await run('mls_number^list_price\nX-1^5\n')).err).toContain(
    'Cells are separated by commas, semicolons, tabs, or bars',
  )
  expect((await run(Buffer.from('PK\x03\x04', 'latin1'))).err).toContain('the file is an Excel workbook')
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
