import { expect, test } from 'vitest'
import { changesOf } from '#kernel/records/changes.ts'
import { freeText, optional } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { materialOf } from '../../src/modules/ai/reply/material.ts'
import { summaryPrompt } from '../../src/modules/ai/summary/summary-prompt.ts'
import { findContent } from '../../src/modules/messages/content-of.ts'

const notes = defineRecord('SeamNote', {
  fields: { body: optional(freeText(20_000)) },
  example: { body: 'A note' },
  patchExample: { body: 'Another' },
})
const row = (body: string) => ({ ...notes.create({ body }, new Date(0)), id: 'cmi8h2k5p0001zq8r4t6w9x3y' })

/** Where a text is cut, counted from its beginning, and what is left of it there. The mask must come before the cut. */
const cuts: Record<string, { at: number[]; length: number; left: (text: string) => unknown }> = {
  'a change in an event': {
    at: [200],
    length: 400,
    left: (text) => changesOf(notes, ['body'], row('Before'), row(text)),
  },
  'a transcript for a summary': {
    // A turn begins with who speaks.
    at: [8000 - 'ai: '.length, 10_000],
    length: 26_000,
    left: (text) =>
      summaryPrompt({ id: 'cmi8h2k5p0001zq8r4t6w9x3y' } as never, [{ speaker: 'ai', text }] as never).turns,
  },
  'a message for a reply': {
    at: [1500],
    length: 3000,
    left: (body) =>
      materialOf({
        messages: [
          {
            conversation_id: '1',
            direction: 'INBOUND',
            status: 'received',
            erased_at: null,
            subject: null,
            body,
          },
        ],
        conversationId: '1',
        contact: { first_name: null },
        listings: [],
      } as never).said,
  },
}
const cases = Object.entries(cuts).flatMap(([where, { at, ...cut }]) =>
  at.map((seam) => ({ where, seam, ...cut })),
)

/** The words at every offset from before the seam to after it, in a text of this length. */
function* across(words: string, seam: number, length: number): Generator<string> {
  for (let start = seam - words.length - 1; start <= seam + 1; start++)
    yield `${'a '.repeat(start).slice(0, start - 1)} ${words} ${'a '.repeat(length)}`.slice(0, length)
}

test.each(cases)('$where, cut at $seam, shows no part of a number or address', ({ seam, length, left }) => {
  for (const words of ['+1 312 555 7188', '3125557188', 'marker@reyes.example'])
    for (const text of across(words, seam, length)) {
      expect(text).toHaveLength(length)
      expect(JSON.stringify(left(text))).not.toMatch(/312|555|arker/)
    }
})

test('the content scan finds words wherever they are in a text, as short as is scanned at once or longer', async () => {
  const words = 'Adults only, no kids.'
  const short = 3000 - JSON.stringify([{ body: '' }]).length
  for (const length of [short - 40, short, short + 40, 3100])
    for (const at of [0, length - words.length - 1]) {
      const body = `${'a '.repeat(at).slice(0, at)} ${words} ${'a '.repeat(length)}`.slice(
        0,
        Math.max(length, at + words.length + 1),
      )
      expect([length, at, (await findContent({ body })).map(({ code }) => code)]).toEqual([
        length,
        at,
        expect.arrayContaining(['content_fair_housing']),
      ])
    }
})
