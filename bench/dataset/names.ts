import { searchTexts } from '@gable/server/src/modules/contacts/search-form.ts'

/** Common names first: names early in a list are drawn more often. */
const firstNames =
  `James Mary Michael Patricia Robert Jennifer John Linda David Elizabeth William Barbara Richard Susan
  Joseph Jessica Thomas Karen Christopher Sarah Charles Lisa Daniel Nancy Matthew Sandra Anthony Betty Mark Ashley
  Donald Emily Steven Kimberly Andrew Margaret Paul Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa
  Timothy Deborah Ronald Stephanie José Sofía Wei Priya Mohammed Fatima André Chloé Björn Zoë Siobhan Ngoc Olga Dmitri
  Aaliyah Hiroshi Yuki Kwame Amara Leila Omar Ingrid Lars Mateo Valentina Giulia Luca Noor Ravi Anjali`.split(
    /\s+/,
  )

const lastNames =
  `Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez
  Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis
  Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell
  Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales
  Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson
  Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross
  Foster Jiménez Müller Núñez Søndergaard O'Brien D'Angelo Kowalczyk Papadopoulos Yamamoto Achterberg Lindqvist
  Vasquez Whitfield Abernathy Quintero Xu Zhou Ek Ng`.split(/\s+/)

/** The last name of five in 100,000 contacts. */
export const rareLastName = 'Featherstonehaugh'
/** Common, but never in the largest workspace: there, statistics of the whole table mislead the planner. */
export const lastNameElsewhere = 'Okonkwo'

const sources =
  `Website,Open house,Referral,Portal,Social media,Sign call,Past client,Cold call,Newsletter,Walk-in,Relocation,Builder`.split(
    ',',
  )

const tags =
  `first-time-buyer investor luxury condo relocation downsizing new-construction pre-approved open-house
  vip waterfront rental land commercial military senior newsletter golf ranch foreclosure`.split(/\s+/)

const areaCodes =
  `312 773 847 630 708 815 212 646 718 917 305 786 954 407 813 213 310 323 415 510 602 480 702 206 503
  303 720 214 469 713 832 512 210 404 678 704 919 615 617 857`.split(/\s+/)

const nothing = { last_name: null, email: null, phone: null, phone_e164: null }
/** The name as search compares it, as a whole. */
const fold = (name: string) => searchTexts({ ...nothing, first_name: name }).search_names.split(' ')[1] ?? ''

/** The lists from which `load.sql` draws. Places are counted from 0. */
export const lists = {
  first_names: firstNames.map((name) => ({ name, folded: fold(name) })),
  last_names: lastNames.map((name) => ({ name, folded: fold(name) })),
  sources: sources.map((name) => ({ name, folded: name })),
  tag_names: tags.map((name) => ({ name, folded: name })),
  area_codes: areaCodes.map((name) => ({ name, folded: name })),
}
