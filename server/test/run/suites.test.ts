import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { suites } from '../../../vitest.config.ts'

const root = new URL('../../../', import.meta.url)
const text = (path: string) => readFile(new URL(path, root), 'utf8')

test.each(Object.entries(suites))(
  'the suite %s has files, a script, and a row in docs/tests.md',
  async (name, patterns) => {
    for (const pattern of patterns) {
      const files = await Array.fromAsync(glob(pattern, { cwd: root }))
      expect(files, pattern).not.toEqual([])
    }
    expect(JSON.parse(await text('package.json')).scripts).toHaveProperty(`test:${name}`)
    expect(await text('docs/tests.md')).toContain(`| \`npm run test:${name}\` |`)
  },
)

test('no file belongs to two suites', async () => {
  const files = await Array.fromAsync(glob(Object.values(suites).flat(), { cwd: root }))
  const each = await Promise.all(
    Object.values(suites).map((patterns) => Array.fromAsync(glob(patterns, { cwd: root }))),
  )
  expect(each.flat().toSorted()).toEqual([...new Set(files)].toSorted())
})
