import { beforeAll, expect, test, vi } from 'vitest'
import {
  builtPatterns,
  builtWhenNeeded,
  buildsPatterns,
  harmless,
  slowBuilt,
  slowPatterns,
} from './patterns.ts'
import { isTest, parse, readSources } from './source.ts'

// No worker, no Java, no binary: the checker runs here.
beforeAll(() => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'))

const product = readSources('server/src', 'postgres').filter((source) => !isTest(source))

test('no regular expression that is built from strings takes more than linear time', async () => {
  const built = await builtPatterns()
  const paths = new Set(built.map(({ path }) => path))
  expect(paths).toContain('server/src/modules/compliance/words/endings.ts')
  expect(slowBuilt(built)).toEqual([])
  const unread = buildsPatterns(product).filter(
    (path) => !paths.has(path) && builtWhenNeeded[path] === undefined,
  )
  expect(unread).toEqual([])
})

test('no regular expression takes more than linear time, except those that read no foreign text', () => {
  const found = slowPatterns(product)
  expect(found.filter(({ pattern }) => harmless[pattern] === undefined)).toEqual([])
})

test.for([
  ['quadratic', String.raw`text.replace(/[.,]+$/, '')`, 1],
  ['cubic', String.raw`text.replace(/\{\{\s*([^{}|]*?)\s*\}\}/g, '')`, 1],
  ['linear', String.raw`text.replaceAll(/[.,]+/g, '')`, 0],
  ['without repetition', String.raw`/^\d{4}$/.test(text)`, 0],
] as const)('reports what takes more than linear time: %s', ([, code, count]) => {
  expect(slowPatterns([parse('server/src/app.ts', code)])).toHaveLength(count)
})

test('reports what is built from strings and takes more than linear time', () => {
  expect(slowBuilt([{ pattern: 'a*a*$', flags: '', path: 'x.ts' }])).toHaveLength(1)
  expect(slowBuilt([{ pattern: '^a*$', flags: '', path: 'x.ts' }])).toHaveLength(0)
})
