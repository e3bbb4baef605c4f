/** What fair housing law protects, or `steering`: who lives somewhere, and how safe or how good its schools are. */
export type Category =
  | 'familial_status'
  | 'race_or_national_origin'
  | 'religion'
  | 'sex'
  | 'disability'
  | StateCategory
  | 'steering'

/** What some states protect, and the others do not. */
export type StateCategory = 'source_of_income' | 'marital_status' | 'military_status' | 'age'

/** Kinds of values that stand in no fact. */
export type UnsupportedCategory = 'price' | 'rate' | 'date' | 'time' | 'address' | 'size' | 'phone' | 'link'

/** What an AI leaves to people. `topic`: one of the persona's own. */
export type ProhibitedCategory =
  | 'legal_advice'
  | 'tax_advice'
  | 'lending_advice'
  | 'price_opinion'
  | 'promise'
  | 'topic'

export type ContentCode = 'content_fair_housing' | 'content_unsupported' | 'content_prohibited'
export type ContentCategory = Category | UnsupportedCategory | ProhibitedCategory
