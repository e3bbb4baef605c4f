import { createHash } from 'node:crypto'
import sqlTag, { type Sql, empty, join, raw } from 'sql-template-tag'

export { sqlTag as sql, empty, join, raw }
export type { Sql }

const names = new Map<string, string>()

/** Statement texts come from code, but an update has a text for each set of columns that it changes. */
const maxNames = 10_000

/** The name under which a statement is prepared. The same text has the same name on every connection. */
export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    if (names.size >= maxNames) names.clear()
    names.set(text, name)
  }
  return name
}

/** The texts of all statements prepared so far, for a check of all statements. */
export const preparedTexts = (): MapIterator<string> => names.keys()
