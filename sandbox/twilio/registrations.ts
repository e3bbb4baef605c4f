import { type Served, json } from '../served.ts'
import type { IncomingNumber } from './numbers.ts'

/** Every account has exactly one of each, without registering. */
const service = `MG${'0'.repeat(32)}`
const brand = `BN${'0'.repeat(32)}`

const list = (key: string, rows: readonly object[]): Served =>
  json(200, { meta: { key, page: 0, page_size: rows.length, next_page_url: null }, [key]: rows })

/**
 * Twilio's API for messaging services and registrations, by the path below its version. All numbers are in one service
 * with an approved campaign and brand, and every toll-free verification is approved. Returns undefined for other paths.
 */
export function registrationsOf(
  path: readonly string[],
  numbers: readonly IncomingNumber[],
): Served | undefined {
  switch (path.join('/')) {
    case 'Services':
      return list('services', [
        { sid: service, inbound_request_url: null, use_inbound_webhook_on_number: true },
      ])
    case `Services/${service}/PhoneNumbers`:
      return list(
        'phone_numbers',
        numbers.map(({ sid, phoneNumber }) => ({ sid, phone_number: phoneNumber })),
      )
    case `Services/${service}/Compliance/Usa2p`:
      return list('compliance', [{ campaign_status: 'VERIFIED', brand_registration_sid: brand }])
    case `a2p/BrandRegistrations/${brand}`:
      return json(200, { sid: brand, status: 'APPROVED' })
    case 'Tollfree/Verifications':
      return list('verifications', [{ status: 'TWILIO_APPROVED' }])
    default:
      return undefined
  }
}
