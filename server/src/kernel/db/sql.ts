import { createHash } from 'node:crypto'
import sqlTag, { type Sql, empty } from 'sql-template-tag'

export { sqlTag as sql, empty }
export type { Sql }

const names = new Map<string, string>()

/**
 * The name under which a statement is prepared. Texts come from code alone, so there are finitely many;
 * the same text has the same name on every connection.
 */
export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}
