import { expect, test } from 'vitest'
import { scanParts } from './scan-parts.ts'

const said = 'adults only, no kids'
const reversed = Array.from(said).toReversed().join('')
const nested = (depth: number, text: string) => '<div>'.repeat(depth) + text + '</div>'.repeat(depth)

test.for<[where: string, html: string]>([
  ['in 110 elements', nested(110, said)],
  ['in 5,000 elements', nested(5000, said)],
  ['after 6,000 elements', `${'<br>'.repeat(6000)}${said}`],
  ['in an alternative text', `<p>Hi</p><img src="a.png" alt="${said}">`],
  ['in a title', `<p title='${said}'>Hi</p>`],
  ['in an attribute without quotation marks', '<img alt=adults&#32;only>'],
  ['in the content of a style sheet', `<style>p::after { content: "${said}" }</style><p>Hi</p>`],
  ['in CDATA', `<p>Hi</p><![CDATA[>${said}]]>`],
  ['in an override of the direction', `<p>\u202e${reversed}\u202c</p>`],
  ['in an element that overrides the direction', `<bdo dir="rtl">${reversed}</bdo>`],
  [
    'in a style that overrides the direction',
    `<p style="unicode-bidi:bidi-override;direction:rtl">${reversed}</p>`,
  ],
])('finds words in HTML %s', ([, body_html]) => {
  expect(scanParts({ body_html })).toContainEqual(
    expect.objectContaining({ code: 'content_fair_housing', field: 'html' }),
  )
})

test('finds words in a text that overrides the direction', () => {
  expect(scanParts({ body: `Hi \u202e${reversed}` })).toContainEqual(
    expect.objectContaining({ field: 'body' }),
  )
})

test('finds nothing in HTML that says nothing', () => {
  const body_html = '<p title="The kitchen">Hi</p><style>p { content: "" }</style><img alt="The garden">'
  expect(scanParts({ body_html })).toEqual([])
})
