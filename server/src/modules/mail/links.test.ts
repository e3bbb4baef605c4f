import { expect, test } from 'vitest'
import { splitLinks } from './links.ts'

const origin = 'http://127.0.0.1:8080'

const texts: [string, string[]][] = [
  ['', []],
  ['no link', []],
  [`${origin}/a`, [`${origin}/a`]],
  [`see ${origin}/a?b=c&d=%20#e, or (${origin}/f).`, [`${origin}/a?b=c&d=%20#e`, `${origin}/f`]],
  [`<${origin}/a> "${origin}/b" '${origin}/c'`, [`${origin}/a`, `${origin}/b`, `${origin}/c`]],
  [`${origin}`, [origin]],
  ['http://127.0.0.1:8081/a https://127.0.0.1:8080/a http://127.0.0.1/a', []],
  ['http://127.0.0.1:8080@evil.example/ http://evil.example/?http://127.0.0.1:8080/', []],
  ['http://[ http://', []],
]

test.for(texts)('the links to this server in %j are %j', ([text, links]) => {
  const spans = splitLinks(text, origin)
  expect(spans.map((span) => span.text).join('')).toBe(text)
  expect(spans.flatMap(({ href }) => href ?? [])).toEqual(links)
})

test('without the address of this server, no text is a link', () => {
  expect(splitLinks(`${origin}/a http://[`, '')).toEqual([{ text: `${origin}/a http://[` }])
})
