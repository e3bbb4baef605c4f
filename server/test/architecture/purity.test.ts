import { expect, test } from 'vitest'
import { impureImports } from './purity.ts'
import { parse, readSources } from './source.ts'

test('the routing decision does no I/O', () => {
  const sources = readSources('server/src/modules/routing', 'server/src/kernel/conditions')
  expect(sources.some(({ path }) => path.endsWith('/decide/decide-route.ts'))).toBe(true)
  expect(impureImports(sources)).toEqual([])
})

const decide = 'server/src/modules/routing/decide/decide-route.ts'
const rules = 'server/src/modules/routing/rules/rule.ts'

test.for([
  "import { findCursor } from '../queries.ts'",
  "import { readFileSync } from 'node:fs'",
  "import { steady } from '#kernel/clock.ts'",
  "export { newId } from '#kernel/ids.ts'",
])('reports %s in a decision and in a rule that a decision imports', (code) => {
  expect(impureImports([parse(decide, `\n${code}`)])).toEqual([expect.stringMatching(`^${decide}:2: `)])
  const importer = parse(decide, "import { fields } from '../rules/rule.ts'")
  expect(impureImports([importer, parse(rules, `\n${code}`)])).toEqual([
    expect.stringMatching(`^${rules}:2: `),
  ])
})

test('a type import does not count as I/O', () => {
  expect(impureImports([parse(decide, "import type { Db } from '#kernel/db/tenant.ts'")])).toEqual([])
})
