import { readFileSync } from 'node:fs'
import { type AreaCode, usAreaCodes } from '../../contacts/public.ts'

/** What is known of where a recipient is. */
export interface RecipientLocation {
  /** In E.164. */
  phone: string | null
  /** Two letters. */
  state?: string | undefined
  /** Five digits; more are ignored. */
  zip?: string | undefined
  /** A lead brought state and ZIP code, which may be those of a property: the zones of the number count as well. */
  fromLead?: boolean | undefined
  /** An IANA name that a person entered, which counts before everything else. */
  timezone?: string | undefined
}

/** What kind of number a phone number is. Only US and CA can be enabled. */
export type Country = 'US' | 'CA' | 'other' | 'invalid'

interface Table {
  [zones: string]: string[]
}

const read = <T>(file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T
const zip = read<{ prefixes: Table; exceptions: Table }>('zip-zones.json')
const canada = read<{ area_codes: Table }>('canada-zones.json')

/** By code, of a table by zones. */
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

/** Where a number without a place may be: toll-free numbers, and those for machines and persons. */
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

const placeless = /^(?:8(?:00|22|33|44|55|66|77|88)|5(?:00|2\d|33|44|66|77|88)|700|710|900)$/

const areaOf = (phone: string): string | undefined => /^\+1([2-9]\d\d)[2-9]\d{6}$/.exec(phone)?.[1]

const usArea = (area: string): AreaCode | undefined =>
  Object.hasOwn(usAreaCodes, area) ? usAreaCodes[area] : undefined

/** `elsewhere` says whether a number of another numbering plan, or of another country of ours, is assigned. */
export function countryOf(phone: string, elsewhere: (phone: string) => boolean): Country {
  const area = areaOf(phone)
  if (area !== undefined && (usArea(area) !== undefined || placeless.test(area))) return 'US'
  if (area !== undefined && zonesInCanada.has(area)) return 'CA'
  return elsewhere(phone) ? 'other' : 'invalid'
}

/** The states whose rules hold: of the address and of the area code. */
export function statesOf({ phone, state }: RecipientLocation): string[] {
  const byNumber = phone === null ? undefined : usArea(areaOf(phone) ?? '')?.state
  return [...new Set([state, byNumber].filter((one) => one !== undefined))]
}

/**
 * Every zone in which the recipient may be; a message must be allowed in all of them. The ZIP code decides, then the state
 * (narrowed by an area code of that state), then the area code, with all its zones. Empty if nothing is known.
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
  return placeless.test(area) ? everywhere : (zonesInCanada.get(area) ?? [])
}
