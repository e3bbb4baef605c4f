import { readFile, readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { landedIssues } from './landed.ts'

const list = new URL('../../migrations.txt', import.meta.url)
const folder = new URL('../../migrations/', import.meta.url)

test('no migration that has landed is changed or removed, and every one is on the list', async () => {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, await readFile(new URL(name, folder))] as const),
  )
  expect(landedIssues(await readFile(list, 'utf8'), new Map(files))).toEqual([])
})

test('a migration that was changed, removed or added is named, with what to do', () => {
  const landed =
    'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  0001_a.sql\n3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  0002_b.sql\n'
  const both = new Map([
    ['0001_a.sql', 'a'],
    ['0002_b.sql', 'b'],
  ])
  expect(landedIssues(landed, both)).toEqual([])
  expect(landedIssues(landed, new Map([...both, ['0001_a.sql', 'a ']]))).toEqual([
    expect.stringMatching(/^0001_a.sql was changed\. .* put the change into a new migration\.$/),
  ])
  expect(landedIssues(landed, new Map([['0001_a.sql', 'a']]))).toEqual([
    expect.stringMatching(/^0002_b.sql is missing\. /),
  ])
  expect(landedIssues(landed, new Map([...both, ['0003_c.sql', 'c']]))).toEqual([
    expect.stringContaining('sha256sum 0003_c.sql >> ../migrations.txt'),
  ])
})
