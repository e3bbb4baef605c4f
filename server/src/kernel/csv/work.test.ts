import { expect, test } from 'vitest'
import { cellText, dateIn, numberIn } from './cells.ts'
import { readBlock } from './read-block.ts'

const size = 262_144
const fill = (part: string) => part.repeat(size / part.length)

test.for<[name: string, text: string]>([
  ['quotes', fill('"')],
  ['opened quotes', `a,b\n${fill('"a"b')}`],
  ['opened cells', fill(',"a"b')],
  ['stray quotes in one line', `"${fill('x"y ')}`],
  ['delimiters', fill(',;|\t')],
  ['blanks before a letter', fill(' ')],
  ['line ends', fill('\r\n')],
  ['inch marks', `a,b\n${fill('1,"12""\n')}`],
  ['inch marks and quotes', `a,b\n${fill('1,"12""\n2,""\n')}`],
  ['quotes that open', `a,b\n${fill('1,"x\n')}1,"`],
  ['characters beyond ASCII', fill('é')],
])('a block of %s takes linear time', ([, text]) => {
  const timeOf = (given: string) => {
    const bytes = Buffer.from(given)
    const begin = process.cpuUsage()
    readBlock(bytes, { encoding: null, delimiter: null, line: 1, open: '' }, true)
    const { user, system } = process.cpuUsage(begin)
    return user + system
  }
  timeOf(text.slice(0, 8192))
  const least = (given: string) => Math.min(...Array.from({ length: 3 }, () => timeOf(given)))
  expect(least(text)).toBeLessThan(Math.max(least(text.slice(0, text.length / 16)) * 64, 500_000))
})

test.for([' ', '1', '1,', "'", '(', '$', '1/', 'sqft ', '1 ', '\u200B', '='])(
  'a long cell of %j is no number',
  (part) => {
    const text = `x${part.repeat(100_000)}x`
    for (const read of [numberIn, dateIn, cellText]) read(text)
    expect(numberIn(text)).toBeUndefined()
  },
)
