import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** A call that names a database of a file's own. */
const naming = /\b(?:freshDatabase|openBrokerage|openScene)\('(\w+)'/g

test('no two files name the same database: a test would find what the other left there', async () => {
  const files = new Map<string, Set<string>>()
  for await (const path of glob('{server,docs}/**/*.ts', { cwd: root }))
    for (const [, name = ''] of (await readFile(new URL(path, root), 'utf8')).matchAll(naming))
      files.set(name, (files.get(name) ?? new Set()).add(path))
  expect(files.size).toBeGreaterThan(50)
  const shared = [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, ...paths])
  expect(shared).toEqual([])
})
