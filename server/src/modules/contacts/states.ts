/** US states and territories and Canadian provinces, by postal code abbreviation. */
const names = `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri,
MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina,
ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota,
TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming,
AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI Virgin Islands, VI US Virgin Islands,
AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NL Newfoundland,
NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Québec, SK Saskatchewan,
YT Yukon`

/** Strips case, accents, spaces, and punctuation: `N.Y.` becomes `ny`. */
const bare = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase()

const codes = new Map(
  names.split(/,\s+/).flatMap((entry) => {
    const code = entry.slice(0, 2)
    return [bare(code), bare(entry.slice(3))].map((key) => [key, code] as const)
  }),
)

/** The two-letter code of a state, territory, or province, given its name or code; undefined for any other text. */
export const stateCodeOf = (text: string): string | undefined => codes.get(bare(text))
