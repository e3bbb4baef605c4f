import type { ContentCategory } from './finding.ts'

const fairHousingAct = '42 USC 3604(c)'
const policy = 'Policy: what an AI leaves to people'

/** The law behind each category; `policy` if there is none. */
const citations: Readonly<Record<ContentCategory, string>> = {
  familial_status: fairHousingAct,
  race_or_national_origin: fairHousingAct,
  religion: fairHousingAct,
  sex: fairHousingAct,
  disability: fairHousingAct,
  steering: '42 USC 3604(a), 24 CFR 100.70',
  source_of_income: 'State fair housing laws',
  marital_status: 'State fair housing laws',
  military_status: 'State fair housing laws',
  age: 'State fair housing laws',
  price: policy,
  rate: policy,
  date: policy,
  time: policy,
  address: policy,
  size: policy,
  phone: policy,
  account: policy,
  link: policy,
  legal_advice: policy,
  tax_advice: policy,
  lending_advice: policy,
  price_opinion: policy,
  promise: policy,
  topic: policy,
}

export const citationOf = ({ category }: { category: ContentCategory }): string => citations[category]
