import { inject } from 'vitest'
import { preparedTexts } from '#kernel/db/sql.ts'
import { kindsOf, statementIssues } from '../architecture/statements.ts'

const checked = new Set<string>()

/** Checks the statements that this worker has prepared since the last call. Throws if any of them break a rule. */
export async function lintNewStatements(): Promise<void> {
  const texts = [...preparedTexts()].filter((text) => !checked.has(text))
  if (texts.length === 0) return
  const kinds = kindsOf(inject('kinds'))
  const broken: string[] = []
  for (const text of texts) {
    checked.add(text)
    const issues = await statementIssues(text, kinds)
    if (issues.length > 0) broken.push(`${issues.join('; ')}:\n${text}`)
  }
  if (broken.length === 0) return
  const rules = 'Statements break the rules in server/test/architecture/statements.ts.'
  throw new Error([rules, ...broken].join('\n\n'))
}
