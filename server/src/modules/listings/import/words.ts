import type { listingStatuses } from '../listing.ts'

const statuses: Readonly<Record<(typeof listingStatuses)[number], string>> = {
  active:
    'a, act, actv, available, for sale, for rent, for lease, new, new listing, back on market, bom, price change, price reduced, pchg, pc, reactivated, ract, extended, live, on market',
  active_under_contract:
    'contingent, ctg, cont, cntg, under contract, uc, auc, active contingent, active with contingency, active option, active option contract, option pending, active kick out, kick out, pending taking backups, pending continue to show, taking backups, accepting backups, active with contract, act cont, first right of refusal, contingent show, backup',
  canceled: 'cancelled, can, canc, cncl, c ncl, cancel, terminated, term',
  closed:
    'sold, s, sld, cls, clsd, clo, cl, closed sale, sold closed, leased, rented, lsd, rntd, settled, sold off market',
  coming_soon: 'cs, com, csoon, cmg soon, soon, preview, pre market',
  expired: 'exp, x, expd, xpd',
  hold: 'on hold, tom, temp off market, temporarily off market, temporarily off the market, temporary off market, toff, hld, temporarily withdrawn',
  incomplete: 'inc, incomp, draft',
  pending: 'p, pend, pnd, pending sale, sale pending, in escrow, escrow, offer accepted',
  withdrawn: 'w, wdn, wd, with, wth, wthd, withdrawn from market, off market',
}

const propertyTypes: Readonly<Record<string, string>> = {
  residential:
    'res, resi, single family, single family home, single family residence, single family residential, single family detached, detached, sfr, sf, sfh, house, home, condo, condominium, condos, townhouse, townhome, th, attached, attached single, detached single, co op, coop',
  residential_lease: 'rental, rentals, residential rental, lease, rent, for rent, residential for rent',
  residential_income:
    'multi family, multifamily, multi, income, duplex, triplex, fourplex, quadplex, two to four units, 2 4 units, 2 to 4 units, multi family home, rinc',
  land: 'lot, lots, lots land, lots and land, vacant land, acreage, lnd, lots acreage, land lots',
  farm: 'farms, ranch, farm ranch, farm and ranch, farms and ranches',
  manufactured_in_park: 'mobile home, mobile, manufactured, manufactured home, manufactured in park',
  commercial_sale: 'commercial, com, comm, commercial for sale, office, retail, industrial',
  commercial_lease: 'commercial rental, commercial for lease, commercial for rent',
  business_opportunity: 'business, business opportunities, biz op',
}

const bare = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const readerOf = (words: Readonly<Record<string, string>>) => {
  const values = new Map<string, string>()
  for (const [value, spellings] of Object.entries(words))
    for (const spelling of [value, ...spellings.split(', ')]) values.set(bare(spelling), value)
  return (text: string) => values.get(bare(text))
}

/** The values of fields that MLS systems and people write in their own words and abbreviations. */
export const valuesInWords: Readonly<Record<string, (text: string) => string | undefined>> = {
  status: readerOf(statuses),
  property_type: readerOf(propertyTypes),
}
