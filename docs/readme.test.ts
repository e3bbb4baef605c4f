import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

test("the README's table lists exactly the variables that config.ts reads", async () => {
  const table = [...(await read('../README.md')).matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const source = await read('../server/src/config.ts')
  const names = [...source.matchAll(/(?:text|integer|url|choice)\('([A-Z_]+)'/g)].map(([, name]) => name)
  expect(table.toSorted()).toEqual([...new Set(names)].toSorted())
})

test('every file that the documents point to exists', async () => {
  for (const page of ['../README.md', '../ARCHITECTURE.md', '../CONTRIBUTING.md', './guides/operate.md']) {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(
      ([, path]) => path ?? '',
    )
    for (const path of links) {
      const { access } = await import('node:fs/promises')
      await expect(
        access(new URL(path, new URL(page, import.meta.url))),
        `${page} → ${path}`,
      ).resolves.toBeUndefined()
    }
  }
})
