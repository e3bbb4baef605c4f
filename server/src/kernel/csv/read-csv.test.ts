import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'
import { splitRecords } from './split-records.ts'

async function* pieces(bytes: Uint8Array, size = 65_536) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function read(bytes: Uint8Array | string, encoding?: string, size?: number) {
  const given = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  const records = []
  for await (const batch of readCsv(pieces(given, size), { encoding })) records.push(...batch.records)
  return records
}
const cells = async (bytes: Uint8Array | string, encoding?: string) =>
  (await read(bytes, encoding)).map((record) => record.cells)
const latin = (text: string) => Buffer.from(text, 'latin1')
const big = (text: string) => Buffer.from(text, 'utf16le').swap16()

test.for<[name: string, bytes: Buffer, text: string]>([
  ['UTF-8', Buffer.from('Café'), 'Café'],
  ['UTF-8 with a mark', Buffer.from('\uFEFFCafé'), 'Café'],
  ['UTF-16 of Excel’s “Unicode Text”', Buffer.from('\uFEFFCafé', 'utf16le'), 'Café'],
  ['UTF-16, most significant byte first', big('\uFEFFCafé'), 'Café'],
  ['UTF-16 without a mark', Buffer.from('Café in Evanston', 'utf16le'), 'Café in Evanston'],
  ['UTF-16 without a mark, most significant byte first', big('Café in Evanston'), 'Café in Evanston'],
  ['Windows-1252', latin('Caf\xe9'), 'Café'],
  [
    'Windows-1252 with typography',
    latin('The seller\x92s \x93charming\x94 cottage \x96 2\xbd baths \x80'),
    'The seller’s “charming” cottage – 2½ baths €',
  ],
  [
    'Windows-1252 in Spanish',
    latin('Jos\xe9 Pe\xf1a, a\xf1o nuevo, \xbfd\xf3nde?'),
    'José Peña, año nuevo, ¿dónde?',
  ],
  ['Windows-1252 in capitals', latin('CAF\xc9'), 'CAFÉ'],
  ['Macintosh', latin('Caf\x8e'), 'Café'],
  [
    'Macintosh with typography',
    latin('Ana\xd5s \xd2cozy\xd3 caf\x8e \xd0 Espa\x96a'),
    'Ana’s “cozy” café – España',
  ],
  ['a single dash of Windows', latin('2020\x962024'), '2020–2024'],
])('%s is decoded', async ([, bytes, text]) => {
  expect(await cells(Buffer.concat([bytes]))).toEqual(
    text.split(',').length > 1 ? [text.split(',').map((one) => one.trim())] : [[text]],
  )
})

test.for<[name: string, bytes: Buffer, line: number, message: string]>([
  [
    'UTF-8 with one damaged character',
    Buffer.concat([Buffer.from('a\nCafé Böll é\nx'), latin('\xe9y\n')]),
    3,
    'UTF-8',
  ],
  ['a character that another program has lost', Buffer.from('a\nCaf\uFFFD\n'), 2, 'lost'],
  [
    'bytes of Cyrillic',
    latin('a\nb\n\xcc\xee\xf1\xea\xe2\xe0 \xe3\xee\xf0\xee\xe4\n'),
    3,
    'encoding is unknown',
  ],
  ['bytes of Japanese', latin('a\n\x93\x8c\x8b\x9e\x93s\x8d`\x8b\xe6\n'), 2, 'encoding is unknown'],
  ['a zero byte', Buffer.from('a\nb\0c\n'), 2, 'zero byte'],
  ['an Excel workbook', latin('PK\x03\x04abc'), 1, 'an Excel workbook'],
  ['an old Excel workbook', latin('\xd0\xcf\x11\xe0abc'), 1, 'an old Excel workbook'],
  ['a PDF', Buffer.from('%PDF-1.7'), 1, 'a PDF'],
])('%s is one fault with its line', async ([, bytes, line, message]) => {
  const error = await read(bytes).catch((error_: unknown) => error_)
  expect(error).toMatchObject({ line, message: expect.stringContaining(message) })
})

test('an encoding can be named', async () => {
  expect(await cells(latin('\xcc\xee\xf1\xea\xe2\xe0'), 'windows-1251')).toEqual([['Москва']])
  await expect(read('a', 'windows-99')).rejects.toThrow('“windows-99” is not a character encoding.')
})

test.for<[name: string, text: string]>([
  ['commas', 'a,b,c\n1,2 x,3'],
  ['semicolons', 'a;b;c\n1;2 x;3'],
  ['tabs', 'a\tb\tc\n1\t2 x\t3'],
  ['bars', 'a|b|c\n1|2 x|3'],
  ['what Excel’s first line says', 'sep=;\r\na;b;c\r\n1;2 x;3'],
  ['any other character that the first line says', 'sep=^\na^b^c\n1^2 x^3'],
  ['a quoted first line, filled up', '"sep=;";;\na;b;c\n1;2 x;3'],
  ['a tab that the first line says', 'SEP=\t\na\tb\tc\n1\t2 x\t3'],
  ['CR alone', 'a,b,c\r1,2 x,3\r'],
  ['mixed line ends', 'a,b,c\r\n\n1,2 x,3\r'],
])('cells are separated by %s', async ([, text]) => {
  expect(await cells(text)).toEqual([
    ['a', 'b', 'c'],
    ['1', '2 x', '3'],
  ])
})

test.for<[text: string, delimiters: string]>([
  ['price;note\n"1,250,000";a, b, c\n"475,000";d, e, f', 'semicolons beside commas in cells'],
  ['price\tnote\n1,250,000\ta, b; c', 'tabs beside commas'],
  ['price,note\n1;2,a;b', 'commas beside semicolons'],
  ['"a;b","c;d"\n"1;2","3;4"', 'commas beside semicolons within quotes'],
  ['a|b\n1,2,3|x', 'bars beside commas'],
])('%j has two columns: %s', async ([text]) => {
  for (const record of await cells(text)) expect(record).toHaveLength(2)
})

test.for<[cell: string, value: string]>([
  ['12" pipe', '12" pipe'],
  ['5" x "q"', '5" x "q"'],
  ['"He said ""no"""', 'He said "no"'],
  ['"He "said" it"', 'He "said" it'],
  ['"5" deep"', '5" deep'],
  ['"Cozy" cottage', '"Cozy" cottage'],
  ['  "in blanks"  ', 'in blanks'],
  ['""', ''],
  ['"a, b"', 'a, b'],
  ['"a\r\nb"', 'a\nb'],
  ['="02108"', '02108'],
  ['"=""02108"""', '02108'],
  ["'02108", '02108'],
  ['\u00A0x\u200B\uFEFF ', 'x'],
])('the cell %j reads %j', async ([cell, value]) => {
  expect(await cells(`h1,h2,h3\nx,${cell},"y"\nlast,1,2`)).toEqual([
    ['h1', 'h2', 'h3'],
    ['x', value, 'y'],
    ['last', '1', '2'],
  ])
})

test('records of delimiters and blanks only are left out, and each has the line on which it starts', async () => {
  const text = ',,\n \na,b,c\n,,,\n"x\ny\r\nz",2,3\n\n ; \n\u00A0,\t, \nlast,,\n'
  const records = (await read(text)).map(({ line, cells: [first] }) => [line, first])
  expect(records).toEqual([
    [3, 'a'],
    [5, 'x\ny\nz'],
    [9, ';'],
    [11, 'last'],
  ])
})

test('a quote that is never closed is a fault with the line on which it opens', async () => {
  await expect(read('a,b\n1,2\n3,"open\n4,5\n')).rejects.toMatchObject({
    line: 3,
    message: 'Line 3 is not CSV: the quote that opens a cell is never closed (column 2).',
  })
})

test.for<[name: string, rows: string, cells: string[][]]>([
  [
    'an inch mark at the end of a quoted cell',
    '1,"12"",a\n2,"b",c',
    [
      ['1', '12"', 'a'],
      ['2', 'b', 'c'],
    ],
  ],
  [
    'feet and inches',
    `1,"6'2"",a\n2,"5'11"",c\n3,x,"y"`,
    [
      ['1', `6'2"`, 'a'],
      ['2', `5'11"`, 'c'],
      ['3', 'x', 'y'],
    ],
  ],
  [
    'inches in the last cell',
    '1,a,"12""\n2,b,"4""\n3,c,d',
    [
      ['1', 'a', '12"'],
      ['2', 'b', '4"'],
      ['3', 'c', 'd'],
    ],
  ],
  [
    'inches in the first cell',
    '"12"",a,b\n"4"",c,d',
    [
      ['12"', 'a', 'b'],
      ['4"', 'c', 'd'],
    ],
  ],
  [
    'inches before a cell in quotes',
    '1,"12"","a, b"\n2,c,d',
    [
      ['1', '12"', 'a, b'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'inches in two cells',
    '1,"12"","6""\n2,c,d',
    [
      ['1', '12"', '6"'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'inches and blanks',
    '1,"12"" ,a\n2,"c",d',
    [
      ['1', '12"', 'a'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'fractions of inches',
    '1,"3½"",a\n2,"c",d',
    [
      ['1', '3½"', 'a'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'inches beside bare inches',
    `1,"12"",a\n2,6'2",c\n3,"d",e`,
    [
      ['1', '12"', 'a'],
      ['2', `6'2"`, 'c'],
      ['3', 'd', 'e'],
    ],
  ],
  [
    'a name in quotes at the end',
    '1,"Known as "The Nest"",a\n2,"c",d',
    [
      ['1', 'Known as "The Nest"', 'a'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'words in doubled quotes, with one too few',
    '1,"He said ""no"",a\n2,"c",d',
    [
      ['1', 'He said "no"', 'a'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'a quote that opens and is no quote',
    '1,"Cozy cottage,a\n2,"Nice",d',
    [
      ['1', '"Cozy cottage', 'a'],
      ['2', 'Nice', 'd'],
    ],
  ],
  [
    'inches in the last row',
    '1,a,b\n2,"12"",d',
    [
      ['1', 'a', 'b'],
      ['2', '12"', 'd'],
    ],
  ],
  [
    'inches, and no quote after them',
    '1,"12"",b\n2,c,d',
    [
      ['1', '12"', 'b'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'quotes over two lines as RFC 4180 has them',
    '1,"He said ""yes"", then\nleft, right",x\n2,c,d',
    [
      ['1', 'He said "yes", then\nleft, right', 'x'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'inches over two lines as RFC 4180 has them',
    '1,"12"" x 4"" deep,\ndry",x\n2,c,d',
    [
      ['1', '12" x 4" deep,\ndry', 'x'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'a quoted comma in a row with fewer cells',
    '1,"a,b"\n2,c,d',
    [
      ['1', 'a,b'],
      ['2', 'c', 'd'],
    ],
  ],
])('%s takes no other row with it', async ([, rows, expected]) => {
  expect((await cells(`n,text,x\n${rows}\n`)).slice(1)).toEqual(expected)
  expect(
    (await cells(`n;text;x\r\n${rows.replaceAll(/,(?! )/g, ';').replaceAll('\n', '\r\n')}`)).slice(1),
  ).toEqual(expected.map((row) => row.map((one) => one.replaceAll(/,(?! )/g, ';'))))
})

test('blocks of any size give the same records', async () => {
  const row = (index: number) => `${index},"Two\r\nlines, “${index}”",é\r\n`
  const text = `n,text,x\r\n${Array.from({ length: 20_000 }, (_, index) => row(index)).join('')}`
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
    const records = await read(bytes, undefined, 65_537)
    expect(records).toHaveLength(20_001)
    expect(records.at(-1)).toEqual({ line: 40_000, cells: ['19999', 'Two\nlines, “19999”', 'é'] })
  }
})

test('what another reader reads is read the same', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'ü', ',', '"', '\n', ' ', ';') })
    .map((text) => `x${text}x`)
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n')
      const { records } = splitRecords(`${text}\n`, ',', 1, true)
      expect(records.map((record) => record.cells)).toEqual(rows)
      expect(parse(text, { relax_column_count: true })).toEqual(rows)
    }),
  )
})
