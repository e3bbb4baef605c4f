import { describe, expect, test } from 'vitest'
import { circles } from './circles.ts'
import { parse, readSources } from './source.ts'

test('no folder has a circle of imports, among its files or its folders', () => {
  expect(
    circles(readSources('server', 'bench', 'docs', 'e2e', 'postgres', 'sandbox', 'sdk', 'tools', 'web')),
  ).toEqual([])
})

describe('a circle is reported with the imports behind every step:', () => {
  const deals = (path: string, code: string) => parse(`server/src/modules/deals/${path}`, code)

  test('of folders, even if no files import each other in one', () => {
    const code = [
      deals(
        'board/order.ts',
        "import { lockDeal } from '../deal-queries.ts'\nimport { stages } from '../pipelines/stage.ts'",
      ),
      deals('pipelines/replace-stages.ts', "\nimport type { Column } from '../board/column.ts'"),
      deals('endpoints.ts', "import { order } from './board/order.ts'"),
    ]
    expect(circles(code)).toEqual([
      `server/src/modules/deals: board → pipelines → board is a circle:
  server/src/modules/deals/board/order.ts:2: server/src/modules/deals/pipelines/stage.ts: stages
  server/src/modules/deals/pipelines/replace-stages.ts:2: server/src/modules/deals/board/column.ts: Column`,
    ])
    expect(circles(code.slice(1))).toEqual([])
  })

  test('of a folder and a file beside it', () => {
    const code = [
      deals('deal.ts', "export { first } from './pipelines/stage.ts'"),
      deals('pipelines/save-pipeline.ts', "const { deals } = await import('../deal.ts')"),
    ]
    expect(circles(code)).toEqual([
      `server/src/modules/deals: deal.ts → pipelines → deal.ts is a circle:
  server/src/modules/deals/deal.ts:1: server/src/modules/deals/pipelines/stage.ts: first
  server/src/modules/deals/pipelines/save-pipeline.ts:1: server/src/modules/deals/deal.ts: everything`,
    ])
  })

  test('of modules', () => {
    const code = ['a', 'b', 'c'].map((name, i) =>
      parse(
        `server/src/modules/${name}/x.ts`,
        `import { x } from '#modules/${['b', 'c', 'a'][i]}/public.ts'`,
      ),
    )
    expect(circles(code)).toEqual([expect.stringContaining('server/src/modules: a → b → c → a is a circle:')])
    expect(circles(code.slice(1))).toEqual([])
  })

  test('one, the shortest, for entries that all reach each other', () => {
    const code = [
      deals('a.ts', "import { b } from './b.ts'"),
      deals('b.ts', "import { c } from './c.ts'"),
      deals('c.ts', "import { a } from './a.ts'\nimport { b } from './b.ts'"),
      deals('board/x.ts', "import { y } from './y.ts'"),
      deals('board/y.ts', "import { x } from './x.ts'"),
    ]
    expect(circles(code)).toEqual([
      expect.stringContaining('server/src/modules/deals: b.ts → c.ts → b.ts is a circle:'),
      expect.stringContaining('server/src/modules/deals/board: x.ts → y.ts → x.ts is a circle:'),
    ])
  })

  test('but not of a test and what it tests', () => {
    const code = [
      deals('deal.ts', "import { lockDeal } from './queries.ts'"),
      deals('deal.test.ts', "import './deal.ts'"),
      deals('deals.fixtures.ts', "import './deal.ts'"),
    ]
    expect(circles(code)).toEqual([])
  })
})
