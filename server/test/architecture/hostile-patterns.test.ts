import { beforeAll, expect, test, vi } from 'vitest'
import { slowPatterns, harmless } from './patterns.ts'
import { isTest, parse, readSources } from './source.ts'

// No worker, no Java, no binary: the checker runs here.
beforeAll(() => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'))

test('no regular expression takes more than linear time, except those that read no foreign text', () => {
  const product = readSources('server/src', 'postgres').filter((source) => !isTest(source))
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
