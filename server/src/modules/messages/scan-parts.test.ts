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
  [
    'in a style sheet that names it',
    `<style>p { --a: "${said}" } p::after { content: var(--a) }</style><p>Hi</p>`,
  ],
  ['in the marks of a list', `<ul style='list-style-type: "${said}"'><li>Hi</ul>`],
  ['in quotation marks of a style sheet', `<style>q { quotes: "${said}" "" }</style><q>Hi</q>`],
  [
    'in an attribute that a style sheet shows',
    `<p data-a="${said}">Hi</p><style>p::after { content: attr(data-a) }</style>`,
  ],
  [
    'in escapes of a style sheet',
    String.raw`<style>p::after { content: "a\64 ults onl\000079, no k\69 ds" }</style><p>Hi</p>`,
  ],
  ['in a comment for Outlook', `<p>Hi</p><!--[if mso]><p>${said}</p><![endif]-->`],
  ['in a label', `<option label="${said}">`],
  ['in a page of its own', `<iframe srcdoc="&lt;p>${said}"></iframe>`],
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
  const body_html =
    '<!-- adults only --><p title="The kitchen">Hi</p><style>p { content: ""; font: 14px "Old English" }</style><img alt="The garden">'
  expect(scanParts({ body_html })).toEqual([])
})
