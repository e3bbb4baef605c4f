import { readFileSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<string, unknown>
const dist = readdirSync(new URL('dist/', root))
const bytesOf = (name: string) => readFileSync(new URL(`dist/${name}`, root))
const scripts = dist.filter((name) => name.endsWith('.js'))

test('the client has no dependency', () => {
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
  const imports = scripts.flatMap((name) =>
    [
      ...bytesOf(name)
        .toString()
        .matchAll(/from '([^']+)'/g),
    ].map(([, from]) => from),
  )
  expect(imports.length).toBeGreaterThan(5)
  expect(imports.filter((from) => !/^\.\/[a-z]+\.js$/.test(from ?? ''))).toEqual([])
})

test('its scripts are at most 6 kB with gzip', () => {
  expect(scripts).toContain('index.js')
  expect(gzipSync(Buffer.concat(scripts.map(bytesOf)), { level: 9 }).length).toBeLessThanOrEqual(6000)
})

test('what it ships is at most 120 kB with gzip', () => {
  const types = [
    ...dist.map(bytesOf),
    readFileSync(new URL('types.d.ts', root)),
    readFileSync(new URL('README.md', root)),
  ]
  expect(gzipSync(Buffer.concat(types), { level: 9 }).length).toBeLessThanOrEqual(120_000)
})

test('every script has its types', () => {
  expect(scripts.map((name) => name.replace(/\.js$/, '.d.ts')).toSorted()).toEqual(
    dist.filter((name) => name.endsWith('.d.ts')).toSorted(),
  )
})
