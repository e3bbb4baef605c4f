import type { AskedSender, ProviderAccount, Registration } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn, unexpected } from '../replies.ts'
import { findNumber } from './connect-number.ts'
import { type TwilioPlace, getFromMessaging } from './twilio-api.ts'

/** Small enough for a page to fit the response limit. */
const pageSize = '100'

const maxPages = 20

/** A sender's registration at Twilio. Twilio has no state for short codes. */
export async function readTwilioRegistration(
  place: TwilioPlace,
  account: ProviderAccount,
  { kind, address }: AskedSender,
): Promise<Registration> {
  if (kind === 'tollfree') return readVerification(place, account, address)
  return kind === '10dlc' ? readCampaign(place, account, address) : {}
}

/**
 * Where Twilio sends texts to a number: to the messaging service's URL unless the service defers to the number, else to
 * the number's. Undefined if the account does not have the number.
 */
export async function readTwilioInbound(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<{ actual: string; setting: string } | undefined> {
  const { sid, smsUrl, reply } = await findNumber(place, account, number)
  if (reply.status !== 200) throw unexpected('Twilio’s numbers', reply)
  if (sid === undefined) return undefined
  const inboundUrl = (await servicesByNumber(place, account)).get(number)?.inboundUrl
  return inboundUrl === undefined
    ? { actual: smsUrl, setting: '"A message comes in" of the number' }
    : { actual: inboundUrl, setting: '"Incoming Messages" of the messaging service that has the number' }
}

async function readVerification(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<Registration> {
  const { sid, reply } = await findNumber(place, account, number)
  if (reply.status !== 200) throw unexpected('Twilio’s numbers', reply)
  if (sid === undefined) return {}
  const listed = await listAll(place, account, '/v1/Tollfree/Verifications', 'verifications', {
    TollfreePhoneNumberSid: sid,
  })
  const status = statusIn(listed, 'status', 'TWILIO_APPROVED')
  return status === undefined ? {} : { verification: status }
}

/**
 * The campaign of the messaging service that has the number, and its brand. A number belongs to at most one service.
 */
async function readCampaign(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<Registration> {
  const service = (await servicesByNumber(place, account)).get(number)
  if (service === undefined) return {}
  const campaigns = await listAll(place, account, `${service.path}/Compliance/Usa2p`, 'compliance')
  const campaign = statusIn(campaigns, 'campaign_status', 'VERIFIED')
  if (campaign === undefined) return {}
  const sid = campaigns.find(({ campaign_status }) => campaign_status === campaign)?.[
    'brand_registration_sid'
  ]
  const brand = await readBrand(place, account, sid)
  // Twilio registers a service's numbers once its campaign is verified, and reports no state per number.
  return { campaign, ...(brand && { brand }), ...(campaign === 'VERIFIED' && { number: 'REGISTERED' }) }
}

async function readBrand(
  place: TwilioPlace,
  account: ProviderAccount,
  sid: unknown,
): Promise<string | undefined> {
  if (typeof sid !== 'string' || sid === '') return undefined
  const reply = await getFromMessaging(
    place,
    account,
    `/v1/a2p/BrandRegistrations/${encodeURIComponent(sid)}`,
  )
  if (reply.status !== 200) throw unexpected('Twilio’s brand', reply)
  return statusIn([objectOf(reply)], 'status')
}

/** `best` if any item in the list has that state, otherwise the first item's state. */
function statusIn(
  listed: readonly Record<string, unknown>[],
  member: string,
  best?: string,
): string | undefined {
  const states = listed.map((one) => one[member])
  const state = states.find((one) => one === best) ?? states[0]
  return typeof state === 'string' ? state : undefined
}

interface MessagingService {
  path: string
  /** Where it sends received texts; undefined if each number decides. */
  inboundUrl: string | undefined
}
type Services = ReadonlyMap<string, MessagingService>

const pools = new WeakMap<ProviderAccount, Promise<Services>>()

/** The messaging services by phone number. All senders of an account share one lookup. */
function servicesByNumber(place: TwilioPlace, account: ProviderAccount): Promise<Services> {
  const known = pools.get(account) ?? readPools(place, account)
  pools.set(account, known)
  return known
}

async function readPools(place: TwilioPlace, account: ProviderAccount): Promise<Services> {
  const services = new Map<string, MessagingService>()
  for (const { sid, ...service } of await listAll(place, account, '/v1/Services', 'services')) {
    if (typeof sid !== 'string') continue
    const path = `/v1/Services/${encodeURIComponent(sid)}`
    const inboundUrl =
      service['use_inbound_webhook_on_number'] === false
        ? String(service['inbound_request_url'] ?? '')
        : undefined
    for (const { phone_number } of await listAll(place, account, `${path}/PhoneNumbers`, 'phone_numbers'))
      if (typeof phone_number === 'string') services.set(phone_number, { path, inboundUrl })
  }
  return services
}

/** Reads all pages of a list. Throws if it can't be read to the end. */
async function listAll(
  place: TwilioPlace,
  account: ProviderAccount,
  path: string,
  key: string,
  query: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const listed: Record<string, unknown>[] = []
  let next: string | undefined = `${path}?${new URLSearchParams({ ...query, PageSize: pageSize })}`
  for (let pages = 0; next !== undefined; pages++) {
    if (pages >= maxPages) throw new Error(`Twilio lists more than ${maxPages} pages of ${key}.`)
    const reply = await getFromMessaging(place, account, next)
    if (reply.status !== 200) throw unexpected(`Twilio’s ${key}`, reply)
    const page = objectOf(reply)
    listed.push(...objectsIn(page[key]))
    const [meta] = objectsIn([page['meta']])
    const url = URL.parse(String(meta?.['next_page_url'] ?? ''))
    next = url?.pathname === path ? path + url.search : undefined
  }
  return listed
}
