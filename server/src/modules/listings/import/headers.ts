import { headerMatcher } from '#kernel/csv/headers.ts'
import { unknownName } from '#kernel/http/validation.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { ListingRow } from '../save-rows.ts'

/** RESO Data Dictionary names and the columns that they map to. */
const reso: Readonly<Record<string, string>> = {
  ListingId: 'mls_number',
  ListingKey: 'listing_key',
  OriginatingSystemName: 'source_system',
  StandardStatus: 'status',
  PropertyType: 'property_type',
  PropertySubType: 'property_sub_type',
  ListPrice: 'list_price',
  OriginalListPrice: 'original_list_price',
  ClosePrice: 'close_price',
  UnparsedAddress: 'address',
  StreetNumber: 'street_number',
  StreetDirPrefix: 'street_direction',
  StreetName: 'street_name',
  StreetSuffix: 'street_suffix',
  StreetDirSuffix: 'street_direction_after',
  UnitNumber: 'unit_number',
  City: 'city',
  StateOrProvince: 'state',
  PostalCode: 'postal_code',
  PostalCodePlus4: 'postal_code_plus_4',
  Latitude: 'latitude',
  Longitude: 'longitude',
  BedroomsTotal: 'bedrooms',
  BathroomsTotalDecimal: 'bathrooms_total',
  BathroomsTotalInteger: 'bathrooms_counted',
  BathroomsFull: 'bathrooms_full',
  BathroomsThreeQuarter: 'bathrooms_three_quarter',
  BathroomsHalf: 'bathrooms_half',
  BathroomsOneQuarter: 'bathrooms_one_quarter',
  LivingArea: 'living_area',
  LotSizeAcres: 'lot_size_acres',
  LotSizeSquareFeet: 'lot_size_square_feet',
  LotSizeArea: 'lot_size',
  LotSizeUnits: 'lot_size_units',
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

/** What spreadsheets and MLS exports call the columns. */
const spoken: Readonly<Record<string, string>> = {
  mls_number:
    'MLS, MLS ID, MLS No, MLS Num, MLS Listing Number, Listing Number, Listing No, Listing, ML Number',
  source_system: 'Source, MLS Name, MLS System',
  status: 'Listing Status, MLS Status, St Status, Stat, Current Status',
  property_type: 'Type, Prop Type, Listing Type, Property Class, Class',
  property_sub_type: 'Sub Type, Property Subtype, Prop Sub Type, Subtype, Style of Home',
  list_price: 'Price, Listing Price, Asking Price, Current Price, Ask Price, LP, Offered At',
  original_list_price: 'Original Price, Orig Price, Orig List Price, OLP',
  close_price: 'Sold Price, Sale Price, Sales Price, Selling Price, Closed Price, Closing Price, SP',
  address:
    'Street Address, Property Address, Full Address, Address Line 1, Address 1, Site Address, Location',
  street_number: 'House Number, House No, Street No, Street Num, St Number, St No, Number',
  street_direction: 'Street Dir, Pre Dir, Direction, Street Direction, Dir, Dir Prefix, Street Pre Direction',
  street_name: 'Street, St Name',
  street_suffix: 'Suffix, Street Type, St Suffix',
  street_direction_after: 'Post Dir, Dir Suffix, Street Post Direction',
  unit_number: 'Unit, Apt, Apartment, Apt Number, Unit No, Suite, Apt Unit, Unit Apt',
  city: 'Town, Municipality, City Town, City Name',
  state: 'ST, Province, State Province, State Code',
  postal_code: 'Zip, Zip Code, Zip or Postal Code, Zip Postal, Zip Postal Code, Postcode, ZIP 5, Zipcode',
  postal_code_plus_4: 'Zip 4, Zip Plus 4, Plus 4',
  latitude: 'Lat, Geo Lat',
  longitude: 'Long, Lng, Lon, Geo Lon',
  bedrooms:
    'Beds, Bed, BR, BRs, Bdrms, Bd, Number of Bedrooms, Number Beds, Number of Beds, Total Beds, Total Bedrooms, Beds Total, Bedroom',
  bathrooms_total:
    'Baths, Bath, BA, Bathrooms, Bathroom, Total Baths, Baths Total, Total Bathrooms, Number of Bathrooms, Number Baths, Number of Baths',
  bathrooms_full: 'Full Baths, Baths Full, Full Bath, Full Bathrooms, FB, Number Full Baths',
  bathrooms_half: 'Half Baths, Baths Half, Half Bath, Half Bathrooms, HB, Partial Baths, Number Half Baths',
  bathrooms_three_quarter: 'Three Quarter Baths, 3/4 Baths',
  living_area:
    'Sq Ft, Square Feet, Square Footage, Sqft Total, Total Sq Ft, Living Sq Ft, Approx Sq Ft, SF, Finished Sq Ft, Heated Sq Ft, Building Area, Interior Sq Ft, Living Area (sq ft)',
  lot_size_acres: 'Acres, Acreage, Lot Acres, Lot Size (acres), Total Acres, Number of Acres, Lot Size Acre',
  lot_size_square_feet:
    'Lot Sq Ft, Lot Square Feet, Lot Size (sq ft), Lot Size (sqft), Lot SF, Lot Size Sqft',
  lot_size: 'Lot Size, Lot Area, Lot',
  lot_size_units: 'Lot Units, Lot Size Unit',
  year_built: 'Yr Built, Built, Year, Built In, Yr Blt',
  garage_spaces:
    'Garage, Garages, Garage Stalls, Number Garage Spaces, Garage Cars, Gar, Car Garage, Garage Capacity',
  public_remarks:
    'Remarks, Description, Property Description, Marketing Remarks, Listing Description, Public Comments, Marketing Description, Public Description',
  list_agent_email: 'Agent Email, Listing Agent Email, Agent E-mail, LA Email, List Agent E-mail',
  list_office_name: 'Office, Listing Office, List Office, Office Name, Listing Office Name, LO Name',
  listed_on: 'List Date, Listing Date, Date Listed, Listed, Contract Date, Listed Date, On Market Date, LD',
  closed_on:
    'Sold Date, Closing Date, Closed Date, Date Closed, Date Sold, Sale Date, Settlement Date, COE Date',
  expires_on: 'Expiration, Exp Date, Expires, Expire Date, Expiry Date, Expiration Dt',
  virtual_tour_url: 'Virtual Tour, Virtual Tour Link, Tour URL, Tour Link, VTour, 3D Tour',
  photos: 'Photo, Photo URL, Photo URLs, Images, Image URLs, Picture URLs, Media URLs, Photo Links',
}

/** What exports hold beside, and what Gable derives itself. These columns are left out. */
const leftOut = [
  'ModificationTimestamp',
  'OriginalEntryTimestamp',
  'StatusChangeTimestamp',
  'PriceChangeTimestamp',
  'PhotosChangeTimestamp',
  'PhotosCount',
  'DaysOnMarket',
  'DOM',
  'CDOM',
  'CumulativeDaysOnMarket',
  'Days on Market',
  'Price per Sq Ft',
  'Price per Square Foot',
  'Price per Square Feet',
  'Price/SqFt',
  'Price Sq Ft',
  'HOA',
  'HOA Fee',
  'HOA/Month',
  'Sale Type',
  'Next Open House Start Time',
  'Next Open House End Time',
  'URL',
  'Favorite',
  'Interested',
  'Last Modified',
  'Last Updated',
  'Updated',
  'Modified',
]

interface Json {
  type?: string | string[]
  enum?: unknown[]
  format?: string
}

/** The schema of each field that a column can hold, by name. */
export const fieldSchemas = (ListingRow as unknown as { properties: Record<string, Json> }).properties

/** Columns that are not fields but determine one. */
export const helpers = {
  listing_key: 'mls_number',
  address: 'street_name',
  street_direction: 'street_name',
  street_suffix: 'street_name',
  street_direction_after: 'street_name',
  postal_code_plus_4: 'postal_code',
  bathrooms_counted: 'bathrooms_total',
  bathrooms_full: 'bathrooms_total',
  bathrooms_three_quarter: 'bathrooms_total',
  bathrooms_half: 'bathrooms_total',
  bathrooms_one_quarter: 'bathrooms_total',
  lot_size: 'lot_size_acres',
  lot_size_units: 'lot_size_acres',
  lot_size_square_feet: 'lot_size_acres',
  list_agent_email: 'list_agent_id',
  list_office_name: 'list_office_id',
} as const

/** Leaves out open houses, because a list of times does not fit into a cell. */
const { open_houses: _, ...simple } = fieldSchemas
const ours = [...Object.keys(simple), ...Object.keys(helpers)]

const headerNames = [...ours, ...Object.keys(reso)]

const unused = 'unused'

/** A field, and how well a header names it, 0 best: Gable's name, RESO's, and those of spreadsheets in their order. */
interface Meaning {
  field: string
  rank: number
}

const meaningOf = headerMatcher<Meaning>([
  ...ours.map((name) => [name, { field: name, rank: 0 }] as const),
  ...Object.entries(reso).map(([name, field]) => [name, { field, rank: 1 }] as const),
  ...Object.entries(spoken).flatMap(([field, names]) =>
    names.split(', ').map((name, index) => [name, { field, rank: 2 + index }] as const),
  ),
  ...leftOut.map((name) => [name, { field: unused, rank: 0 }] as const),
])

/** A column of a file: its number, counted from 1, its header, and its field; null if the column is ignored. */
export interface Column {
  number: number
  header: string
  field: string | null
}

/** How many of these cells name fields. The lines above the one that names the columns hold titles. */
export const countKnown = (cells: readonly string[]): number =>
  cells.filter((cell) => meaningOf(cell) !== undefined).length

/**
 * Reads the columns from the line of a file that names them: Gable's or RESO's names, or those that spreadsheets use.
 * Throws for an unknown header, unless unknown columns are ignored. Of several columns of one field, the one with the
 * better name is used, and else the first; a warning says so. A column without a header is no column.
 */
export function readHeader(
  cells: readonly string[],
  line: number,
  ignoreUnknown: boolean,
): { columns: Column[]; warnings: string[] } {
  const found = cells.map((header, index) => ({ number: index + 1, header, meaning: meaningOf(header) }))
  const unknown = found.filter(({ header, meaning }) => header !== '' && meaning === undefined)
  if (unknown.length > 0 && !ignoreUnknown)
    throw new OperatorError(
      [
        ...unknown.map(
          ({ number, header }) =>
            `Line ${line}, column ${number}: “${header.slice(0, 100)}” ${unknownName(header, headerNames, 'header')}.`,
        ),
        ...(cells.length === 1
          ? [
              'The file has one column. Cells are separated by commas, semicolons, tabs, or bars, or as a first line such as “sep=^” says.',
            ]
          : []),
        'Nothing was imported. Remove these columns, or leave them out with --ignore-unknown.',
      ].join('\n'),
    )
  if (unknown.length > 0 && countKnown(cells) === 0)
    throw new OperatorError(`Line ${line} names no column that Gable knows. Nothing was imported.`)
  const used = found.filter(({ meaning }) => meaning !== undefined && meaning.field !== unused)
  const best = new Map<string, number>()
  const warnings: string[] = []
  for (const [field, same] of Map.groupBy(used, ({ meaning }) => meaning?.field ?? '')) {
    const [first, ...others] = same.toSorted((a, b) => (a.meaning?.rank ?? 0) - (b.meaning?.rank ?? 0))
    if (first === undefined) continue
    best.set(field, first.number)
    const nameOf = ({ number, header }: { number: number; header: string }) =>
      `column ${number} (${header.slice(0, 100)})`
    if (others.length > 0)
      warnings.push(
        `Line ${line}: ${nameOf(first)} holds ${field}, so ${others.map(nameOf).join(' and ')} ${others.length > 1 ? 'are' : 'is'} ignored.`,
      )
  }
  const columns = found.map(({ number, header, meaning }) => ({
    number,
    header,
    field: meaning !== undefined && best.get(meaning.field) === number ? meaning.field : null,
  }))
  return { columns, warnings }
}
