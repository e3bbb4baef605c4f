import { readFileSync } from 'node:fs'
import { type AreaCode, areaOf, isPlaceless, usAreaCodes } from '../../contacts/public.ts'

/** What is known about a recipient's location. */
export interface RecipientLocation {
  /** In E.164. */
  phone: string | null
  /** Two-letter code. */
  state?: string | undefined
  /** Five digits. Any after those are ignored. */
  zip?: string | undefined
  /** The state and ZIP code come from a lead and may be a property's, so the number's zones count as well. */
  fromLead?: boolean | undefined
  /** An IANA name that a person entered. It takes precedence over everything else. */
  timezone?: string | undefined
}

/** The country of a phone number. Only US and CA can be enabled. */
export type Country = 'US' | 'CA' | 'other' | 'invalid'

interface Table {
  [zones: string]: string[]
}

const read = <T>(file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T
const zip = read<{ prefixes: Table; exceptions: Table }>('zip-zones.json')
const canada = read<{ area_codes: Table }>('canada-zones.json')

/** Inverts a table from zones to codes: the zones of each code. */
const byCode = (table: Table) =>
  new Map(Object.entries(table).flatMap(([zones, codes]) => codes.map((code) => [code, zones.split(' ')])))

const zonesByPrefix = byCode(zip.prefixes)
const zonesByZip = byCode(zip.exceptions)
const zonesInCanada = byCode(canada.area_codes)

const zonesByState = new Map(
  [...Map.groupBy(Object.values(usAreaCodes), ({ state }) => state)].map(([state, codes]) => [
    state,
    [...new Set(codes.flatMap(({ zones }) => zones))],
  ]),
)

/** The zones of numbers without a location: toll-free, machine, and personal numbers. */
const everywhere = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
]

const usArea = (area: string): AreaCode | undefined =>
  Object.hasOwn(usAreaCodes, area) ? usAreaCodes[area] : undefined

/** `elsewhere`: whether a number outside the US and Canada is assigned. It may also have the +1 prefix. */
export function countryOf(phone: string, elsewhere: (phone: string) => boolean): Country {
  const area = areaOf(phone)
  if (area !== undefined && (usArea(area) !== undefined || isPlaceless(area))) return 'US'
  if (area !== undefined && zonesInCanada.has(area)) return 'CA'
  return elsewhere(phone) ? 'other' : 'invalid'
}

/** The states whose rules apply: those of the address and of the area code. */
export function statesOf({ phone, state }: RecipientLocation): string[] {
  const byNumber = phone === null ? undefined : usArea(areaOf(phone) ?? '')?.state
  return [...new Set([state, byNumber].filter((one) => one !== undefined))]
}

/**
 * Returns every zone that the recipient may be in. A message must be allowed in all of them. Uses the first that is known: a time zone
 * that a person entered, the ZIP code, the state (narrowed by an area code in that state), or all zones of the area code. Empty if none
 * is known. If the location comes from a lead, the zones of the number are added, unless a person entered the time zone.
 */
export function zonesOf({ fromLead = false, ...location }: RecipientLocation): readonly string[] {
  if (!fromLead || location.timezone !== undefined) return zonesOfPlace(location)
  return [...new Set([...zonesOfPlace(location), ...zonesOfPlace({ phone: location.phone })])]
}

function zonesOfPlace({ phone, zip: code, state, timezone }: RecipientLocation): readonly string[] {
  if (timezone !== undefined) return [timezone]
  const byZip = code && (zonesByZip.get(code.slice(0, 5)) ?? zonesByPrefix.get(code.slice(0, 3)))
  if (byZip) return byZip
  const area = areaOf(phone ?? '') ?? ''
  const number = usArea(area)
  const ofState = state && zonesByState.get(state)
  if (ofState) return number?.state === state ? number.zones : ofState
  if (number !== undefined) return number.zones
  return isPlaceless(area) ? everywhere : (zonesInCanada.get(area) ?? [])
}
