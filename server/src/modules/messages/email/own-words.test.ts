import { expect, test } from 'vitest'
import { ownWords } from './own-words.ts'

const lines = (...text: string[]) => text.join('\n')

test.for<[what: string, body: string, own: string[]]>([
  ['a text', 'Stop', ['Stop', 'Stop']],
  [
    'what Gmail quotes',
    lines('Stop', '', 'On Mon, Mar 2, 2026 at 11:00 AM Office', '<a@b.example> wrote:', '', '> Hi'),
    ['Stop', 'Stop'],
  ],
  [
    'a line that begins like a quote',
    lines('On 2 March at 3 pm, please.', '', 'Sam'),
    ['On 2 March at 3 pm, please.', lines('On 2 March at 3 pm, please.', 'Sam')],
  ],
  [
    'what Outlook quotes',
    lines('No thanks', '', '________________________________', 'From: Office', 'Stop'),
    ['No thanks', 'No thanks'],
  ],
  ['a header without a line', lines('Yes', '', 'From: Office <a@b.example>', 'Sent: Monday'), ['Yes', 'Yes']],
  ['an original message', lines('Yes', '-----Original Message-----', 'Stop'), ['Yes', 'Yes']],
  ['lines with >', lines('Yes', '> stop'), ['Yes', 'Yes']],
  ['German', lines('Ja', '', 'Am 02.03.2026 um 11:00 schrieb Office:', '> stop'), ['Ja', 'Ja']],
  ['a signature', lines('Yes', '-- ', 'Stop Ltd.'), ['Yes', 'Yes']],
  ['a phone', lines('Yes', '', 'Sent from my iPhone'), ['Yes', 'Yes']],
  ['an attachment', lines('Yes', '', '[Attachment: stop.pdf, 1 KB]'), ['Yes', 'Yes']],
  ['nothing', '', []],
  ['a quote alone', '> stop', []],
])('finds the author’s own words in an email with %s', ([, body, own]) => {
  expect(ownWords({ subject: 'Re: Hi', body })).toEqual(own)
})

test('reads only the first lines', () => {
  const body = [...Array.from({ length: 10 }, (_, i) => `Line ${i}`), 'unsubscribe'].join('\n\n')
  expect(ownWords({ subject: null, body }).join(' ')).not.toContain('unsubscribe')
})

test.for([
  ['Unsubscribe', ['Unsubscribe']],
  ['RE: Unsubscribe', []],
  ['Fwd: Unsubscribe', []],
  [null, []],
] as const)(
  'an empty body with the subject %j counts the subject unless it is a reply or forward',
  ([subject, own]) => {
    expect(ownWords({ subject, body: '' })).toEqual(own)
  },
)

test('a huge body of any form yields a bounded result', () => {
  for (const part of ['On ', 'On 1\n', '> ', '-', '_', 'on a\non b\n', ' '])
    expect(ownWords({ subject: null, body: part.repeat(100_000) }).join('').length).toBeLessThan(20_000)
})
