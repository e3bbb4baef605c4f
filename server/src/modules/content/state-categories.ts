import type { ContentCategory, StateCategory } from './finding.ts'

type Laws = Readonly<Record<string, string>>

/** The states that protect more than federal law, each with its law. Cities and counties may protect even more. */
export const stateCategories: Readonly<Record<StateCategory, Laws>> = {
  source_of_income: {
    CA: 'Cal. Gov. Code 12955',
    CO: 'Colo. Rev. Stat. 24-34-502',
    CT: 'Conn. Gen. Stat. 46a-64c',
    DC: 'D.C. Code 2-1402.21',
    DE: 'Del. Code tit. 6, 4603',
    HI: 'Hawaii Act 310 (2022)',
    IL: '775 ILCS 5/3-102',
    MA: 'Mass. Gen. Laws ch. 151B, 4',
    MD: "Md. Code, State Gov't 20-705",
    ME: 'Me. Rev. Stat. tit. 5, 4581-A',
    MI: 'Mich. Comp. Laws 37.2502',
    MN: 'Minn. Stat. 363A.09',
    ND: 'N.D. Cent. Code 14-02.5-02',
    NJ: 'N.J. Stat. 10:5-12',
    NY: 'N.Y. Exec. Law 296(5)',
    OK: 'Okla. Stat. tit. 25, 1452',
    OR: 'Or. Rev. Stat. 659A.421',
    RI: 'R.I. Gen. Laws 34-37-4',
    UT: 'Utah Code 57-21-5',
    VA: 'Va. Code 36-96.3',
    VT: 'Vt. Stat. tit. 9, 4503',
    WA: 'Wash. Rev. Code 59.18.255',
    WI: 'Wis. Stat. 106.50',
  },
  marital_status: {
    AK: 'Alaska Stat. 18.80.240',
    CA: 'Cal. Gov. Code 12955',
    CO: 'Colo. Rev. Stat. 24-34-502',
    CT: 'Conn. Gen. Stat. 46a-64c',
    DC: 'D.C. Code 2-1402.21',
    DE: 'Del. Code tit. 6, 4603',
    HI: 'Haw. Rev. Stat. 515-3',
    IL: '775 ILCS 5/3-102',
    MA: 'Mass. Gen. Laws ch. 151B, 4',
    MD: "Md. Code, State Gov't 20-705",
    MI: 'Mich. Comp. Laws 37.2502',
    MN: 'Minn. Stat. 363A.09',
    MT: 'Mont. Code 49-2-305',
    ND: 'N.D. Cent. Code 14-02.5-02',
    NH: 'N.H. Rev. Stat. 354-A:10',
    NJ: 'N.J. Stat. 10:5-12',
    NM: 'N.M. Stat. 28-1-7',
    NY: 'N.Y. Exec. Law 296(5)',
    OR: 'Or. Rev. Stat. 659A.421',
    RI: 'R.I. Gen. Laws 34-37-4',
    VT: 'Vt. Stat. tit. 9, 4503',
    WA: 'Wash. Rev. Code 49.60.222',
    WI: 'Wis. Stat. 106.50',
  },
  military_status: {
    CA: 'Cal. Gov. Code 12955',
    CO: 'Colo. Rev. Stat. 24-34-502',
    CT: 'Conn. Gen. Stat. 46a-64c',
    IL: '775 ILCS 5/3-102',
    MA: 'Mass. Gen. Laws ch. 151B, 4',
    MD: "Md. Code, State Gov't 20-705",
    NJ: 'N.J. Stat. 10:5-12',
    NM: 'N.M. Stat. 28-1-7',
    NY: 'N.Y. Exec. Law 296(5)',
    OH: 'Ohio Rev. Code 4112.02(H)',
    RI: 'R.I. Gen. Laws 34-37-4',
    VA: 'Va. Code 36-96.3',
    WA: 'Wash. Rev. Code 49.60.222',
  },
  age: {
    CA: 'Cal. Civ. Code 51',
    CT: 'Conn. Gen. Stat. 46a-64c',
    DC: 'D.C. Code 2-1402.21',
    DE: 'Del. Code tit. 6, 4603',
    HI: 'Haw. Rev. Stat. 515-3',
    IL: '775 ILCS 5/3-102',
    MA: 'Mass. Gen. Laws ch. 151B, 4',
    MI: 'Mich. Comp. Laws 37.2502',
    MT: 'Mont. Code 49-2-305',
    ND: 'N.D. Cent. Code 14-02.5-02',
    NH: 'N.H. Rev. Stat. 354-A:10',
    NY: 'N.Y. Exec. Law 296(5)',
    OK: 'Okla. Stat. tit. 25, 1452',
    PA: '43 Pa. Stat. 955(h)',
    RI: 'R.I. Gen. Laws 34-37-4',
    VA: 'Va. Code 36-96.3',
    VT: 'Vt. Stat. tit. 9, 4503',
    WI: 'Wis. Stat. 106.50',
  },
}

/** The states and DC. Any other text, including a territory, counts as an unknown state. */
const known = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  ),
)

/** Whether the law protects a category in a state. Where the state is not known, everything counts. */
export function protects(state: string | undefined, category: ContentCategory): boolean {
  if (!isStateCategory(category)) return true
  const code = state?.trim().toUpperCase()
  return code === undefined || !known.has(code) || Object.hasOwn(stateCategories[category], code)
}

const isStateCategory = (category: ContentCategory): category is StateCategory =>
  Object.hasOwn(stateCategories, category)
