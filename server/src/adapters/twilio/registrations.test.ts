import { expect, test } from 'vitest'
import { type Responses, startScriptedApi, withStatus } from '#test/egress/scripted-api.ts'
import { twilioAccount as account } from '#test/support/accounts.ts'
import { readTwilioRegistration } from './registrations.ts'

const number = { kind: '10dlc', address: '+13125550188' } as const
const tollfree = { kind: 'tollfree', address: '+18335550188' } as const

/** An API with these bodies by path prefix. */
const having =
  (bodies: Record<string, unknown>): Responses =>
  (path) =>
    Object.entries(bodies).find(([beginning]) => path.startsWith(beginning))?.[1]

const reading = async (sender: typeof number | typeof tollfree, bodies: Record<string, unknown>) => {
  await using api = await startScriptedApi(having(bodies))
  return await readTwilioRegistration(api.place, { ...account }, sender)
}

const meta = { page: 0, page_size: 100, next_page_url: null }
const approvedBrand = { sid: 'BN1', status: 'APPROVED' }
const carrying = (campaigns: unknown, brand: unknown = approvedBrand) => ({
  '/v1/Services?': { meta, services: [{ sid: 'MG1' }, { sid: 'MG2' }] },
  '/v1/Services/MG1/PhoneNumbers': { meta, phone_numbers: [{ phone_number: '+13125550100' }] },
  '/v1/Services/MG2/PhoneNumbers': { meta, phone_numbers: [{ phone_number: number.address }] },
  '/v1/Services/MG2/Compliance/Usa2p': campaigns,
  '/v1/a2p/BrandRegistrations/BN1': brand,
})
const campaign = (campaign_status: string, brand_registration_sid: string | null = 'BN1') => ({
  campaign_status,
  brand_registration_sid,
})
const listed = (...compliance: object[]) => ({ meta, compliance })

test.for<[string, Record<string, unknown>, object]>([
  [
    'a verified campaign',
    carrying(listed(campaign('VERIFIED'))),
    { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  ],
  [
    'a failed campaign and a newer one that is verified',
    carrying(listed(campaign('FAILED', 'BN9'), campaign('VERIFIED'))),
    { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  ],
  [
    'a campaign under way',
    carrying(listed(campaign('IN_PROGRESS'))),
    { brand: 'APPROVED', campaign: 'IN_PROGRESS' },
  ],
  [
    'a brand under review',
    carrying(listed(campaign('PENDING')), { status: 'IN_REVIEW' }),
    { brand: 'IN_REVIEW', campaign: 'PENDING' },
  ],
  ['a campaign without a brand', carrying(listed(campaign('FAILED', null))), { campaign: 'FAILED' }],
  ['a brand without a status', carrying(listed(campaign('FAILED')), {}), { campaign: 'FAILED' }],
  ['no campaign', carrying(listed()), {}],
  ['no list of campaigns', carrying('no JSON'), {}],
  ['no messaging service', { '/v1/Services?': { meta, services: [] } }, {}],
])('the registration is read for a number with %s', async ([, bodies, states]) => {
  expect(await reading(number, bodies)).toEqual(states)
})

const phoneNumber = { incoming_phone_numbers: [{ sid: 'PN1', phone_number: tollfree.address }] }
const verified = (...verifications: object[]) => ({
  '/2010-04-01/Accounts/AC0123/IncomingPhoneNumbers.json': phoneNumber,
  '/v1/Tollfree/Verifications?TollfreePhoneNumberSid=PN1': { meta, verifications },
})

test.for<[Record<string, unknown>, object]>([
  [verified({ status: 'TWILIO_APPROVED' }), { verification: 'TWILIO_APPROVED' }],
  [verified({ status: 'IN_REVIEW' }), { verification: 'IN_REVIEW' }],
  [
    verified({ status: 'TWILIO_REJECTED' }, { status: 'TWILIO_APPROVED' }),
    { verification: 'TWILIO_APPROVED' },
  ],
  [verified(), {}],
  [{ '/2010-04-01': { incoming_phone_numbers: [] } }, {}],
])('the verification of a toll-free number is read: %j yields %j', async ([bodies, states]) => {
  expect(await reading(tollfree, bodies)).toEqual(states)
})

test.for<[typeof number | typeof tollfree, Record<string, unknown>]>([
  [number, { '/v1/Services?': withStatus(401, 'token') }],
  [number, { ...carrying(listed(campaign('VERIFIED'))), '/v1/Services/MG1/PhoneNumbers': withStatus(500) }],
  [number, carrying(withStatus(429))],
  [number, carrying(listed(campaign('VERIFIED')), withStatus(404))],
  [tollfree, { '/2010-04-01': withStatus(401) }],
  [tollfree, { ...verified(), '/v1/Tollfree': withStatus(503) }],
])('a failed Twilio request is an error with only its status (%#)', async ([sender, bodies]) => {
  const broken = Object.fromEntries(Object.entries(bodies).toReversed())
  await expect(reading(sender, broken)).rejects.toThrow(/^Twilio’s [a-z_]+: status \d+$/)
})

test('lists are read page by page, once per account, and only from the Twilio API', async () => {
  const next = (path: string) => ({
    ...meta,
    next_page_url: `https://messaging.twilio.com${path}?PageSize=100&Page=1&PageToken=PT1`,
  })
  const elsewhere = { ...meta, next_page_url: 'https://example.com/other' }
  await using api = await startScriptedApi(
    having({
      '/v1/Services?PageSize=100&Page=1': { meta: elsewhere, services: [{ sid: 'MG2' }] },
      ...carrying(listed(campaign('VERIFIED'))),
      '/v1/Services?': { meta: next('/v1/Services'), services: [{ sid: 'MG1' }] },
    }),
  )
  const same = { ...account }
  const states = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }
  expect(await readTwilioRegistration(api.place, same, number)).toEqual(states)
  expect(await readTwilioRegistration(api.place, same, { ...number, address: '+13125550199' })).toEqual({})
  expect(api.requested).toEqual([
    'GET /v1/Services?PageSize=100',
    'GET /v1/Services?PageSize=100&Page=1&PageToken=PT1',
    'GET /v1/Services/MG1/PhoneNumbers?PageSize=100',
    'GET /v1/Services/MG2/PhoneNumbers?PageSize=100',
    'GET /v1/Services/MG2/Compliance/Usa2p?PageSize=100',
    'GET /v1/a2p/BrandRegistrations/BN1',
  ])
})

test('a list of more than 20 pages is an error', async () => {
  const again = { next_page_url: 'https://messaging.twilio.com/v1/Services?PageToken=PT1' }
  await using api = await startScriptedApi(() => ({ meta: again, services: [] }))
  await expect(readTwilioRegistration(api.place, { ...account }, number)).rejects.toThrow(
    'more than 20 pages',
  )
})

test('no request is made for a short code', async () => {
  await using api = await startScriptedApi(() => undefined)
  expect(await readTwilioRegistration(api.place, account, { kind: 'shortcode', address: '72345' })).toEqual(
    {},
  )
  expect(api.requested).toEqual([])
})
