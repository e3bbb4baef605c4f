import { expect, test } from 'vitest'
import { maxBodyBytes, parseBody } from '#kernel/http/body.ts'
import { queryReader, querySchema } from '#kernel/http/query-string.ts'
import { validator } from '#kernel/http/validation.ts'
import { endpoints, personEndpoints } from '../../src/api.ts'
import { cpuOf, servingMs } from '../architecture/cpu.ts'

const all = [...endpoints, ...personEndpoints]

const list = (item: string, size: number) => `[${`${item},`.repeat(size / (item.length + 1) - 1)}${item}]`
const object = (name: (index: number) => string, size: number) =>
  `{${Array.from({ length: size / 12 }, (_, index) => `"${name(index)}":0`).join(',')}}`

/** The most that a value of each kind makes a reader do. */
const largest = (size: number): string[] => [
  list('0', size),
  list('{}', size),
  object((index) => index.toString(36), size),
  JSON.stringify('a'.repeat(size)),
  JSON.stringify('a.@ '.repeat(size / 4)),
  JSON.stringify('1-'.repeat(size / 2)),
]

const room = maxBodyBytes - 100

test.for(
  all.flatMap((one) => (one.body === undefined ? [] : [[`${one.method} ${one.path}`, one.body] as const])),
)('the largest bodies with the most faults are rejected within 50 ms: %s', async ([, body]) => {
  const validate = validator(body)
  const members = Object.keys((body as { properties?: object }).properties ?? {})
  for (const value of largest(room))
    for (const text of [value, ...members.map((name) => `{"${name}":${value}}`)]) {
      const bytes = Buffer.from(text)
      const spent = await cpuOf(() => validate(parseBody(bytes)), servingMs)
      expect(spent, text.slice(0, 40)).toBeLessThan(servingMs)
    }
})

/** Node.js accepts 16 kB of headers, the request line among them. */
const maxQuery = 16_000

test.for(all.map((one) => [`${one.method} ${one.path}`, querySchema(one)] as const))(
  'the longest query strings are read within 50 ms: %s',
  async ([, schema]) => {
    const read = queryReader(schema)
    for (const value of ['a'.repeat(maxQuery), 'a.@+'.repeat(maxQuery / 4), '1-'.repeat(maxQuery / 2)])
      for (const query of [
        'a=&'.repeat(maxQuery / 3),
        Array.from({ length: maxQuery / 6 }, (_, index) => `${index.toString(36)}=`).join('&'),
        ...Object.keys(schema.properties).map((name) => `${name}=${value}`),
      ])
        expect(await cpuOf(() => read(query), servingMs), query.slice(0, 40)).toBeLessThan(servingMs)
  },
)
