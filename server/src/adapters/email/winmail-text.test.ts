import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { parseMail } from './parse-mail.ts'
import { winmailText } from './winmail-text.ts'

const u32 = (...all: number[]) => Buffer.concat(all.map((one) => Buffer.from(Uint32Array.of(one).buffer)))
const u16 = (...all: number[]) => Buffer.from(Uint16Array.from(all).buffer)
const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
const attribute = (id: number, data: Buffer) =>
  Buffer.concat([Buffer.of(1), u32(id, data.length), data, u16(0)])
const winmail = (...all: Buffer[]) => Buffer.concat([u32(0x22_3e_9f_78), u16(1), ...all])
const body = (data: Buffer) => attribute(0x00_02_80_0c, data)
const codePage = (page: number) => attribute(0x00_06_90_07, u32(page, 0))
const property = (type: number, id: number, data: Buffer) =>
  Buffer.concat([u16(type, id), u32(1, data.length), padded(data)])
/** Before the text, as programs write them: a number, two words of another, a name, and a list. */
const others = [
  Buffer.concat([u16(0x03, 0x0e_07), u32(1)]),
  Buffer.concat([u16(0x40, 0x00_39), u32(1, 2)]),
  Buffer.concat([
    u16(0x0b, 0x80_01),
    Buffer.alloc(16),
    u32(1, 6),
    padded(Buffer.from('Ab\0', 'utf16le')),
    u32(1),
  ]),
  Buffer.concat([
    u16(0x10_1e, 0x80_02),
    Buffer.alloc(16),
    u32(0, 9),
    u32(2),
    u32(2),
    padded(Buffer.from('a\0')),
    u32(5),
    padded(Buffer.from('four\0')),
  ]),
]
const properties = (...all: Buffer[]) =>
  attribute(0x00_06_90_03, Buffer.concat([u32(others.length + all.length), ...others, ...all]))
const stored = (rtf: string) =>
  property(
    0x01_02,
    0x10_09,
    Buffer.concat([u32(rtf.length + 12, rtf.length, 0x41_4c_45_4d, 0), Buffer.from(rtf, 'latin1')]),
  )
/** The example of MS-OXRTFCP. */
const compressed = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
)

test.for<[kind: string, file: Buffer, text: string]>([
  ['plain text', winmail(body(Buffer.from('STOP\0'))), 'STOP'],
  [
    'plain text of a code page',
    winmail(codePage(1250), body(Buffer.from('\xb3\xf3\r\nb\0', 'latin1'))),
    'łó\nb',
  ],
  [
    'wide text',
    winmail(properties(property(0x1f, 0x10_00, Buffer.from('See you – 2 pm\0', 'utf16le')))),
    'See you – 2 pm',
  ],
  [
    'HTML',
    winmail(codePage(65_001), properties(property(0x01_02, 0x10_13, Buffer.from('<p>Café<p>at 2')))),
    'Café\n\nat 2',
  ],
  ['compressed RTF', winmail(properties(property(0x01_02, 0x10_09, compressed))), 'hello world'],
  [
    'RTF',
    winmail(
      properties(
        stored(
          String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0 Caf\'e9 \u8211?\par two \{2\}\~pm}`,
        ),
      ),
    ),
    'Café –\ntwo {2} pm',
  ],
  [
    'RTF of HTML',
    winmail(
      properties(
        stored(
          String.raw`{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\par\htmlrtf0 Stop{\*\htmltag84 &amp; }it{\*\htmltag72 </p>}\htmlrtf }\htmlrtf0 }`,
        ),
      ),
    ),
    'Stop& it',
  ],
  ['nothing', winmail(properties()), ''],
  ['another file', Buffer.from('PK\x03\x04 another file'), ''],
  ['three bytes', Buffer.of(0x78, 0x9f, 0x3e), ''],
])('reads %s', ([, file, text]) => {
  expect(winmailText(file)).toBe(text)
})

test('a file that ends anywhere is no error', () => {
  const file = winmail(properties(property(0x01_02, 0x10_09, compressed)), body(Buffer.from('STOP\0')))
  for (let length = 0; length < file.length; length++)
    expect(typeof winmailText(file.subarray(0, length))).toBe('string')
})

test('a mail that is only a winmail.dat has its text, and lists it', async () => {
  const file = winmail(body(Buffer.from('Please stop these emails.\0'))).toString('base64')
  const raw = `From: a@b.example\r\nTo: office@lantern.example\r\nMIME-Version: 1.0\r\nContent-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Disposition: attachment; filename="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n`
  const read = await parseMail(Buffer.from(raw), null, [])
  expect('message' in read && orNotFound(read.message).body).toMatch(
    /^Please stop these emails\.\n\n\[Attachment: winmail\.dat, \d+ bytes\]$/,
  )
})
