import { spawnSync } from 'node:child_process'
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

test('its package has what it needs, and at most 120 kB', () => {
  const packing = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const [packed] = JSON.parse(packing.stdout) as { size: number; files: { path: string }[] }[]
  expect(packed?.size).toBeLessThanOrEqual(120_000)
  const shipped = [
    'LICENSE',
    'README.md',
    'package.json',
    'types.d.ts',
    ...dist.map((name) => `dist/${name}`),
  ]
  expect(packed?.files.map(({ path }) => path).toSorted()).toEqual(shipped.toSorted())
})

test('every script has its types', () => {
  expect(scripts.map((name) => name.replace(/\.js$/, '.d.ts')).toSorted()).toEqual(
    dist.filter((name) => name.endsWith('.d.ts')).toSorted(),
  )
})
