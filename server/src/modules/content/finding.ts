/** Words of a text that violate a rule. */
export interface ContentFinding {
  code: ContentCode
  /** What the rule protects or forbids. */
  category: ContentCategory
  /** The words, exactly as in the text. */
  text: string
  start: number
  end: number
}

/** What fair housing law protects, or `steering`: statements about who lives in a place, how safe it is, or how good its schools are. */
export type Category =
  | 'familial_status'
  | 'race_or_national_origin'
  | 'religion'
  | 'sex'
  | 'disability'
  | StateCategory
  | 'steering'

/** What only some states protect. */
export type StateCategory = 'source_of_income' | 'marital_status' | 'military_status' | 'age'

/** Kinds of values that no fact supports. */
export type UnsupportedCategory =
  | 'price'
  | 'rate'
  | 'date'
  | 'time'
  | 'address'
  | 'size'
  | 'phone'
  | 'account'
  | 'link'

/** What an AI must leave to people. `topic`: a topic that the persona must not discuss. */
export type ProhibitedCategory =
  | 'legal_advice'
  | 'tax_advice'
  | 'lending_advice'
  | 'price_opinion'
  | 'promise'
  | 'topic'

export type ContentCode = 'content_fair_housing' | 'content_unsupported' | 'content_prohibited'
export type ContentCategory = Category | UnsupportedCategory | ProhibitedCategory
