import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { freeText, text, zoneName } from '../records/fields.ts'
import { Email, nullable, oneLine, variants } from '../schemas.ts'
import { textReader } from './text-in.ts'

const Body = Type.Object({
  body: freeText(20_000),
  name: Type.Optional(nullable(freeText(80))),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: oneLine })),
  email: Type.Optional(Email),
  zone: Type.Optional(zoneName('')),
  tags: Type.Optional(Type.Array(text(40))),
  stage: Type.Optional(Type.Enum(['LEAD', 'TRASH'])),
  price: Type.Optional(Type.Number()),
  secret: Type.Optional(Type.String({ maxLength: 80, writeOnly: true })),
  form: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  at: Type.Optional(Type.Unknown()),
  people: Type.Optional(Type.Array(Type.Object({ name: Type.Optional(freeText(80)) }))),
})
const read = textReader(Body, { isPatch: false })
const patch = textReader(Body, { isPatch: true })

test.each([
  ['a\r\nb', 'a\nb'],
  ['a\rb\r\r\nc', 'a\nb\n\nc'],
  ['a\fb\vc', 'a\nb\nc'],
  ['a\u2028b\u2029c\x85d', 'a\nb\nc\nd'],
  ['\ufeffa\ufeffb', 'ab'],
  ['co\u00adoperate\u200b', 'cooperate'],
  ['a\x07b\x1b[31m\x7f\x9f', 'ab[31m'],
  ['see \ufffc below', 'see  below'],
  ['  a\tb  \n', '  a\tb  \n'],
  ['👩‍👩‍👧 می‌خواهم é', '👩‍👩‍👧 می‌خواهم é'],
])('prose %j is read as %j', (written, stored) => {
  expect(read({ body: written })).toEqual({ body: stored })
})

test.each([
  [' Jane\u00a0', 'Jane'],
  ['Jane\r\n', 'Jane'],
  ['Jane\tAnn\r\nDoe', 'Jane Ann Doe'],
  ['\u202aJane\u202c', 'Jane'],
  ['\u200b\u2060', null],
  ['\u00a0\u3000', null],
  ['\u3164', null],
  ['\u2800', null],
  ['\u200d\ufeff', null],
  ['', null],
  [null, null],
])('a name %j is read as %j', (name, stored) => {
  for (const reader of [read, patch]) expect(reader({ name })).toEqual({ name: stored })
})

test('an optional member that is empty or null counts as left out, except in a patch', () => {
  const empty = { title: ' ', email: '', zone: null, tags: null, stage: '', price: '', people: null }
  expect(read({ body: 'a', ...empty })).toEqual({ body: 'a' })
  expect(patch(empty)).toEqual({ ...empty, title: '' })
  expect(read({ people: [{ name: ' ' }, { name: null }, { name: 'Jo ' }] })).toEqual({
    people: [{}, {}, { name: 'Jo' }],
  })
  expect(read({ body: null, stray: null })).toEqual({ body: null, stray: null })
})

test.each([
  ['email', ' jane@x.example ', 'jane@x.example'],
  ['email', 'jane\u200b@x.example\r\n', 'jane@x.example'],
  ['email', '\u00a0jane@x.example', 'jane@x.example'],
  ['email', 'mailto:jane@x.example', 'jane@x.example'],
  ['email', '<Jane@x.example>', 'Jane@x.example'],
  ['zone', 'Central Standard Time', 'America/Chicago'],
  ['zone', 'america/chicago', 'America/Chicago'],
  ['zone', 'Eastern', 'America/New_York'],
  ['zone', 'Central Daylight Time', 'America/Chicago'],
  ['zone', 'PT', 'America/Los_Angeles'],
  ['zone', 'EDT', 'America/New_York'],
  ['zone', 'Arizona Time', 'America/Phoenix'],
  ['zone', 'Los Angeles', 'America/Los_Angeles'],
  ['zone', 'Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['zone', "Nuku'alofa", 'Pacific/Tongatapu'],
  ['zone', ' AMERICA/NEW YORK ', 'America/New_York'],
  ['zone', 'Pacific Standard Time', 'America/Los_Angeles'],
  ['zone', 'US Mountain Standard Time', 'America/Phoenix'],
  ['zone', 'Hawaiian Standard Time', 'Pacific/Honolulu'],
  ['zone', 'eastern standard time', 'America/New_York'],
  ['zone', '(UTC-07:00) Mountain Time (US & Canada)', 'America/Denver'],
  ['zone', 'W. Europe Standard Time', 'Europe/Berlin'],
  ['zone', 'Mexico City', 'America/Mexico_City'],
  ['zone', 'Bogota', 'America/Bogota'],
  ['zone', 'London', 'Europe/London'],
  ['zone', 'Bern', 'Europe/Zurich'],
  ['zone', 'Osaka', 'Asia/Tokyo'],
  ['zone', "Nuku'alofa", 'Pacific/Tongatapu'],
  ['zone', '(GMT-05:00) Indiana (East)', 'America/Indiana/Indianapolis'],
  ['zone', '(GMT-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['zone', 'St. Petersburg', 'Europe/Moscow'],
  ['zone', 'Solomon Is.', 'Pacific/Guadalcanal'],
  ['zone', 'International Date Line West', 'Etc/GMT+12'],
  ['zone', 'utc', 'UTC'],
  ['zone', 'US/Central', 'US/Central'],
  ['zone', 'America/Chicgo', 'America/Chicgo'],
  ['tags', [' buyer ', '', '\u200b', 'a\r\nb'], ['buyer', '', '', 'a b']],
  ['secret', ' a\r\n', ' a\r\n'],
  ['form', { 'a\r': [' b\r\n\x07', ''] }, { 'a\r': [' b\r\n\x07', ''] }],
  ['at', '', ''],
  ['at', null, null],
  ['stage', 'LEAD', 'LEAD'],
])('%s %j is read as %j', (name, written, stored) => {
  expect(read({ [name]: written })).toEqual({ [name]: stored })
})

test('of several kinds of a body, the one that it names says how it is read', () => {
  const kind = (channel: string, subject: object) =>
    Type.Object({ channel: Type.Literal(channel), subject: subject as ReturnType<typeof text> })
  const Draft = variants('channel', [kind('sms', freeText(4000)), kind('email', text(80))], {
    title: 'Draft',
  })
  const readDraft = textReader(Draft, { isPatch: false })
  expect(readDraft({ channel: 'sms', subject: ' a\r\n' })).toEqual({ channel: 'sms', subject: ' a\n' })
  expect(readDraft({ channel: 'email', subject: ' a\r\n' })).toEqual({ channel: 'email', subject: 'a' })
  expect(readDraft({ channel: 'fax', subject: ' a\r\n' })).toEqual({ channel: 'fax', subject: ' a\r\n' })
})
