import { unknownName } from '#kernel/http/validation.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { ListingRow } from '../save-rows.ts'

/** RESO Data Dictionary names and the fields that they map to. */
const reso: Readonly<Record<string, string>> = {
  ListingId: 'mls_number',
  OriginatingSystemName: 'source_system',
  StandardStatus: 'status',
  PropertyType: 'property_type',
  PropertySubType: 'property_sub_type',
  ListPrice: 'list_price',
  OriginalListPrice: 'original_list_price',
  ClosePrice: 'close_price',
  StreetNumber: 'street_number',
  StreetDirPrefix: 'street_direction',
  StreetName: 'street_name',
  StreetSuffix: 'street_suffix',
  UnitNumber: 'unit_number',
  City: 'city',
  StateOrProvince: 'state',
  PostalCode: 'postal_code',
  Latitude: 'latitude',
  Longitude: 'longitude',
  BedroomsTotal: 'bedrooms',
  BathroomsTotalDecimal: 'bathrooms_total',
  BathroomsTotalInteger: 'bathrooms_total',
  LivingArea: 'living_area',
  LotSizeAcres: 'lot_size_acres',
  YearBuilt: 'year_built',
  GarageSpaces: 'garage_spaces',
  PublicRemarks: 'public_remarks',
  ListAgentEmail: 'list_agent_email',
  ListOfficeName: 'list_office_name',
  ListingContractDate: 'listed_on',
  CloseDate: 'closed_on',
  ExpirationDate: 'expires_on',
  VirtualTourURLUnbranded: 'virtual_tour_url',
}

interface Json {
  type?: string | string[]
  enum?: unknown[]
  format?: string
}

/** The schema of each field that a column can hold, by name. */
export const fieldSchemas = (ListingRow as unknown as { properties: Record<string, Json> }).properties

/**
 * Columns that are not fields but determine one: parts of the street name, and the agent's email or the office's name.
 */
const helpers = ['street_direction', 'street_suffix', 'list_agent_email', 'list_office_name'] as const

/** Leaves out open houses, because a list of times does not fit into a cell. */
const { open_houses: _, ...simple } = fieldSchemas
const ours = [...Object.keys(simple), ...helpers]

const headerNames = [...ours, ...Object.keys(reso)]

const bare = (name: string) => name.replaceAll(/[\s_-]/g, '').toLowerCase()
const byName = new Map([
  ...Object.entries(reso).map(([name, field]) => [bare(name), field] as const),
  ...ours.map((name) => [bare(name), name] as const),
])

/** A column of a file: its number, counted from 1, its header, and its field; null if the column is ignored. */
export interface Column {
  number: number
  header: string
  field: string | null
}

/**
 * Reads the columns from the first line of a file. Headers can be Gable's or RESO's names in any case. Throws for an
 * unknown header, unless unknown columns are ignored, and for two columns of the same field.
 */
export function readHeader(cells: readonly string[], leaveOut: boolean): Column[] {
  const columns = cells.map((cell, index) => {
    const header = cell.trim()
    return { number: index + 1, header, field: byName.get(bare(header)) ?? null }
  })
  const unknown = columns.filter(({ field }) => field === null)
  if (unknown.length > 0 && !leaveOut)
    throw new OperatorError(
      [
        ...unknown.map(
          ({ number, header }) =>
            `Line 1, column ${number}: “${header.slice(0, 100)}” ${unknownName(header, headerNames, 'header')}.`,
        ),
        'Nothing was imported. Remove these columns, or leave them out with --ignore-unknown.',
      ].join('\n'),
    )
  for (const [field, same] of Map.groupBy(columns, (one) => one.field))
    if (field !== null && same.length > 1)
      throw new OperatorError(
        `Line 1: columns ${same.map(({ number }) => number).join(' and ')} both hold ${field}. Nothing was imported.`,
      )
  return columns
}
