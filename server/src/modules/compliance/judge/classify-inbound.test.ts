import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { classifyInbound } from './classify-inbound.ts'

const { public: vectors } = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as {
  public: { kind: string; title: string; input: { text: string; opted_out: boolean }; expect: object }[]
}

test.each(
  vectors.filter(({ kind }) => kind === 'classify_inbound').map((vector) => [vector.title, vector] as const),
)('%s', (_title, { input, expect: expected }) => {
  expect(classifyInbound(input.text, { optedOut: input.opted_out })).toEqual(expected)
})
