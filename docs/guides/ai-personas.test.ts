import { readFile } from 'node:fs/promises'
import { standardScript } from '@gable/sandbox/model/script.ts'
import { readConfig } from '@gable/server/src/config.ts'
import { bodyValidator } from '@gable/server/src/kernel/http/validation.ts'
import { handoffReasons } from '@gable/server/src/modules/ai/events.ts'
import { modes, personas } from '@gable/server/src/modules/personas/persona.ts'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { expect, test } from 'vitest'

const page = await readFile(new URL('./ai-personas.md', import.meta.url), 'utf8')
const blocks = codeBlocks(page)

const rowsBelow = (heading: string) =>
  (page.split(heading)[1] ?? '')
    .split('\n\n')[0]
    ?.trim()
    .split('\n')
    .slice(1)
    .map((row) => row.slice(2, -2).split(' | ')) ?? []

test('the API accepts the persona in the guide', () => {
  const draft = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '')
  expect(() => bodyValidator(personas.Draft)(draft)).not.toThrow()
  expect(personas.create(draft, new Date(0)).mode).toBe('off')
})

test('the guide lists every mode and every handoff reason in the product’s own words', () => {
  expect(rowsBelow('| Mode | What happens |').map(([mode]) => mode)).toEqual(
    modes.map((mode) => `\`${mode}\``),
  )
  expect(rowsBelow('| Reason | |')).toEqual(
    Object.entries(handoffReasons).map(([reason, words]) => [`\`${reason}\``, words]),
  )
})

test('the configuration accepts the models in the guide', () => {
  const lines = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith('AI_URL='))
  expect(lines).toHaveLength(4)
  for (const line of lines) {
    const pairs = line.split(' ').flatMap((word) => (word.includes('=') ? [word.split('=')] : []))
    expect(readConfig(Object.fromEntries(pairs)).model?.url).toMatch(/\/v1$/)
  }
})

test('the guide lists every phrase that makes the scripted model misbehave', async () => {
  const words = (await standardScript()).flatMap(({ match }) => /model \w+/.exec(match) ?? [])
  expect(words).toHaveLength(5)
  for (const word of words) expect(page).toContain(`\`${word}\``)
})
