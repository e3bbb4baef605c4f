import { type Static, Type } from 'typebox'
import { type Sql, join, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { searchTerms } from '../../contacts/public.ts'
import { dealTypes } from '../pipeline.ts'

/** The filters that a board shares with the list of deals. */
export const boardFilters = {
  owner_id: equals(reference('member', 'Return only deals of this member.')),
  type: oneOf(Type.Enum(dealTypes)),
  q: custom(
    text(
      120,
      'Words that must all occur in the name. A word of one or two letters matches the beginning of a word; a longer word matches any part. Ignores case and accents, and words without a letter or digit if there are others.',
    ),
  ),
}

const declared = filters(boardFilters)
export type BoardQuery = Static<typeof declared.query>

/** ` and …`: the conditions of a board's filters. The rows of a stage are few enough to look for words in each. */
export function onBoard(query: BoardQuery): Sql {
  const terms = searchTerms(query.q ?? '')
  if (terms === null) return sql` and false`
  const words = terms.map((term) => sql` and search_name like like_pattern(${term})`)
  return join([declared.where(query), ...words], '')
}
