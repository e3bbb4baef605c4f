import { expect, test } from 'vitest'
import { classifyInbound } from './classify-inbound.ts'
import { ownWords } from './own-words.ts'

const lines = (...text: string[]) => text.join('\n')

test.for<[what: string, body: string, own: string]>([
  ['a text', 'Stop', 'Stop'],
  [
    'what Gmail quotes',
    lines('Stop', '', 'On Mon, Mar 2, 2026 at 11:00 AM Office', '<a@b.example> wrote:', '', '> Hi'),
    'Stop',
  ],
  [
    'a line that begins like a quote',
    lines('On 2 March at 3 pm, please.', '', 'Sam'),
    lines('On 2 March at 3 pm, please.', 'Sam'),
  ],
  [
    'what Outlook quotes',
    lines('No thanks', '', '________________________________', 'From: Office', 'Stop'),
    'No thanks',
  ],
  ['headers without a line', lines('Yes', '', 'From: Office <a@b.example>', 'Sent: Monday'), 'Yes'],
  ['headers in Spanish', lines('Sí', '', 'De: Oficina', 'Enviado: lunes', 'Para: Ana', 'STOP'), 'Sí'],
  ['headers in German', lines('Ja', '', 'Von: Office', 'Gesendet: Montag', 'STOP'), 'Ja'],
  ['an original message', lines('Yes', '-----Original Message-----', 'Stop'), 'Yes'],
  ['a forwarded message', lines('Yes', '---------- Forwarded message ---------', 'Stop'), 'Yes'],
  ['lines with >', lines('Yes', '> stop'), 'Yes'],
  ['words below lines with >', lines('> Hello there', 'Please unsubscribe me.'), 'Please unsubscribe me.'],
  [
    'words below a marked quote',
    lines('On Mon, 2 Mar 2026 Office wrote:', '> Hello', '>> Hi', '', 'Remove me'),
    'Remove me',
  ],
  [
    'words between the lines of a quote',
    lines('> Is 2 pm fine?', 'Yes', '> Reply STOP', 'Thanks'),
    lines('Yes', 'Thanks'),
  ],
  ['German', lines('Ja', '', 'Am 02.03.2026 um 11:00 schrieb Office:', '> stop'), 'Ja'],
  [
    'an indented introduction and a quote without marks',
    lines(
      'Sounds good',
      '',
      '    On Friday, November 27, 2026 at 09:00:00 AM CST, Office <a@b.example> wrote:  ',
      '    Hi Sam',
      '    Reply STOP to opt out',
    ),
    'Sounds good',
  ],
  [
    'Portuguese',
    lines('Bom', 'Em sex., 27 de nov. de 2026 às 09:00, Office <a@b.example> escreveu:', 'Stop'),
    'Bom',
  ],
  [
    'Spanish',
    lines('Bien', 'El vie, 27 nov 2026 a las 9:00, Office (<a@b.example>) escribió:', 'Stop'),
    'Bien',
  ],
  ['French', lines('Oui', 'Le ven. 27 nov. 2026 à 09:00, Office <a@b.example> a écrit :', 'Stop'), 'Oui'],
  [
    'Italian',
    lines('Si', 'Il giorno ven 27 nov 2026 alle ore 09:00 Office <a@b.example> ha scritto:', 'Stop'),
    'Si',
  ],
  ['Dutch', lines('Ja', 'Op vr 27 nov 2026 om 09:00 schreef Office <a@b.example>:', 'Stop'), 'Ja'],
  ['a signature', lines('Yes', '-- ', 'Stop Ltd.'), 'Yes'],
  ['a phone', lines('Yes', '', 'Sent from my iPhone'), 'Yes'],
  ['a program', lines('Stop', 'Get Outlook for iOS'), 'Stop'],
  ['a phone in Spanish', lines('Stop', 'Enviado desde mi iPhone'), 'Stop'],
  ['an attachment', lines('Yes', '', '[Attachment: stop.pdf, 1 KB]'), 'Yes'],
  ['the link of a footer', lines('Yes', 'Unsubscribe: https://gable.example/u/1'), 'Yes'],
  ['nothing', '', ''],
  ['a quote alone', '> stop', ''],
])('finds the author’s own words in an email with %s', ([, body, own]) => {
  expect(ownWords(body).trim()).toBe(own)
})

test('reads only the first lines', () => {
  const body = [...Array.from({ length: 10 }, (_, i) => `Line ${i}`), 'unsubscribe'].join('\n\n')
  expect(ownWords(body)).not.toContain('unsubscribe')
})

test('a huge text of any form yields a bounded result', () => {
  for (const part of ['On ', 'On 1\n', '> ', '-', '_', 'on a\non b\n', ' ', '🛑', '§ ', '“a'])
    expect(ownWords(part.repeat(100_000), [part.repeat(100_000)]).length).toBeLessThan(20_000)
})

test('a footer of ours without a mark is no request, whatever the client makes of it', () => {
  const ours = ['Three homes match your search.', '48 Alder Court, Chicago, IL 60614\nUnsubscribe: https://']
  for (const footer of [
    '48 Alder Court, Chicago, IL 60614\nUnsubscribe',
    '48 Alder Court,\nChicago, IL 60614\nUnsubscribe',
    '48 Alder Court, Chicago, IL 60614 Unsubscribe <https://gable.example/u/1>',
    '48 Alder Court, Chicago, IL 60614 | UNSUBSCRIBE',
    '  48 Alder Court, Chicago, IL 60614\n  Unsubscribe: https://gable.example/u/1',
    '*48 Alder Court, Chicago, IL 60614*\n[Unsubscribe](https://gable.example/u/1)',
  ])
    expect([footer, classifyInbound(`Sounds good\n\n${footer}`, { optedOut: false, ours }).action]).toEqual([
      footer,
      'none',
    ])
})
