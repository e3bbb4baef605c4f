import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { addressInForm } from './address-in-form.ts'
import { toAddress } from './address.ts'

const nothing = { street: null, city: null, state: null, postal_code: null, country: null }

test('an address is stored trimmed and normalized, and is replaced as a whole', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const address = { street: ' 48 Alder Court', city: 'Chicago ', state: 'Illinois', postal_code: ' 60614 ' }
  const stored = { ...nothing, street: '48 Alder Court', city: 'Chicago', state: 'IL', postal_code: '60614' }
  const { id, ...created } = (await agent.post('/contacts', { address })).body
  expect(created).toMatchObject({ address: stored, timezone: null })
  const path = `/contacts/${id}`
  expect((await agent.get(path)).body.address).toEqual(stored)
  expect(Object.keys((await agent.get(path)).body.address)).toEqual(Object.keys(nothing))
  expect((await agent.get('/contacts?fields=address')).body.data).toEqual([{ id, address: stored }])
  const patched = async (patch: object) => (await agent.patch(path, patch)).body.address
  expect(await patched({ first_name: 'Ada' })).toEqual(stored)
  expect(await patched({ address: { state: 'ny' } })).toEqual({ ...nothing, state: 'NY' })
  expect(await patched({ address: null })).toBeNull()
  expect(await patched({ address: { city: 'Chicago' } })).toEqual({ ...nothing, city: 'Chicago' })
  for (const empty of [{}, { city: '' }, { street: null, city: ' ' }])
    expect(await patched({ address: empty })).toBeNull()
})

test('a change of address and time zone is one event, and a respelled address publishes none', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { address: { city: 'Chicago', state: 'IL' } })).body
  const patch = (body: object) => agent.patch(`/contacts/${id}`, body)
  await patch({ address: { state: 'illinois', city: ' Chicago' } })
  await patch({ address: { street: 'Call 312 555 0123 first' }, timezone: 'America/Denver' })
  const { data } = (await agent.get('/events?type=contact.updated')).body
  expect(data).toHaveLength(1)
  expect(data[0].data.changes).toEqual([
    {
      field: 'address',
      from: { ...nothing, city: 'Chicago', state: 'IL' },
      to: { ...nothing, street: 'Call ******0123 first' },
    },
    { field: 'timezone', from: null, to: 'America/Denver' },
  ])
  const [created] = (await agent.get('/events?type=contact.created')).body.data
  expect(created.data.contact.address).toEqual({ ...nothing, city: 'Chicago', state: 'IL' })
})

test('an unknown time zone returns 400, with a suggestion', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts')).body
  for (const send of [
    (timezone: string) => agent.post('/contacts', { timezone }),
    (timezone: string) => agent.patch(`/contacts/${id}`, { timezone }),
  ]) {
    expect((await send('America/Chicgo')).body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'timezone', message: 'is not a known timezone; did you mean America/Chicago?' }],
    })
    for (const name of ['Chicagoland', '-05:00', 'CDT6']) expect((await send(name)).status, name).toBe(400)
  }
})

test('without contacts:read:pii, an address masks phone numbers but not its ZIP code, and rejects masks', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const few = await workspace.credential('contacts:write', 'contacts:read')
  const address = { street: '48 Alder Court, 312 555 0123', postal_code: '60614-1234' }
  const { id } = (await agent.post('/contacts', { address })).body
  const shown = { ...nothing, street: '48 Alder Court, ******0123', postal_code: '60614-1234' }
  expect((await few.get(`/contacts/${id}`)).body.address).toEqual(shown)
  expect((await few.patch(`/contacts/${id}`, { address: shown })).status).toBe(400)
  expect((await agent.get(`/contacts/${id}`)).body.address).toEqual({ ...nothing, ...address })
})

test.each([
  ['Illinois', null, 'IL', null],
  ['il', null, 'IL', null],
  ['N.Y.', 'usa', 'NY', 'US'],
  ['NEW  YORK', 'United States of America', 'NY', 'US'],
  ['District of Columbia', 'us', 'DC', 'US'],
  ['puerto rico', null, 'PR', null],
  ['Quebec', 'Canada', 'QC', 'CA'],
  ['ontario', 'ca', 'ON', 'CA'],
  ['North Shore', null, 'North Shore', null],
  ['Illinois', 'DE', 'Illinois', 'DE'],
  ['Distrito Federal', 'México', 'Distrito Federal', 'México'],
  ['constructor', 'constructor', 'constructor', 'constructor'],
])('the state %s in the country %s is stored as %s, %s', (state, country, code, countryCode) => {
  const address = { ...nothing, state: code, country: countryCode }
  expect(toAddress({ state, country })).toEqual(address)
  expect(toAddress(address)).toEqual(address)
})

test.each([
  [
    { zip: '60614', city: 'Chicago', state: 'illinois' },
    { postal_code: '60614', city: 'Chicago', state: 'IL' },
  ],
  [{ zip_code: '60614' }, { postal_code: '60614' }],
  [{ 'Postal Code': '60614' }, { postal_code: '60614' }],
  [
    { postalCode: 'M5V 2T6', province: 'Ontario', country: 'Canada' },
    { postal_code: 'M5V 2T6', state: 'ON', country: 'CA' },
  ],
  [{ post_code: ' ', zip: 2134 }, { postal_code: '02134' }],
  [{ zip: '', postal_code: '60614' }, { postal_code: '60614' }],
  [
    { STREET_ADDRESS: '48 Alder Court', CITY: 'Chicago' },
    { street: '48 Alder Court', city: 'Chicago' },
  ],
  [
    { address: '48 Alder Court', zip: '60614' },
    { street: '48 Alder Court', postal_code: '60614' },
  ],
  [
    { address: { street: '48 Alder Court', zip: '1' }, zip: '60614' },
    { street: '48 Alder Court', postal_code: '60614' },
  ],
  [{ city: 'x'.repeat(81), zip: '60614' }, { postal_code: '60614' }],
  [{ city: ['Chicago'], state: { code: 'IL' }, zip: true }, null],
  [{ country: 'US' }, null],
  [{ address: null, listing: '48 Alder Court' }, null],
  [{}, null],
] as const)('the form %j has the address %j', (form, address) => {
  expect(addressInForm(form)).toEqual(address && { ...nothing, ...address })
})
