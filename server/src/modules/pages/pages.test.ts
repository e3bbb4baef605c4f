import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { codePoint } from '#test/support/code-point.ts'
import { html } from './html.ts'
import { notice } from './page.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('interpolated text is escaped in attributes and content, and decodes to the original', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const { markup } = html`<p title="${text}" id='${text}'>${text}</p>`
      const [, quoted = '', single = '', between = ''] =
        /^<p title="([^"<>]*)" id='([^'<>]*)'>([^<>]*)<\/p>$/s.exec(markup) ?? []
      expect([quoted, single, between].map(read)).toEqual([text, text, text])
    }),
  )
})

const read = (markup: string) =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('nested markup is kept, lists are joined, and undefined, null, and false render nothing', () => {
  const items = ['a', '<b>'].map((one) => html`<li>${one}</li>`)
  expect(html`<ul>${items}</ul>${undefined}${null}${false}${0}${[]}`.markup).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  )
})

test.each(['/settings/a/b/c/d', '/account/nothing', '/sign-in/nothing/', '/account/..%2f'])(
  '%s returns a 404 page',
  async (path) => {
    const response = await fetch(app.url + path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await response.text()).toContain('<h1>Page not found</h1>')
  },
)

test('a page’s assets exist, are cached as immutable, and have the nosniff header', async () => {
  const { body } = notice(200, 'A page')
  const paths = [...String(body).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(paths).toHaveLength(3)
  for (const path of paths) {
    const { status, headers } = await fetch(app.url + path)
    expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'nosniff',
    ])
  }
})
