import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { contents, pages, root } from './contents.ts'
import { readPages } from './pages.ts'

const origin = 'https://crm.lakeside.example'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const get = async (path: string) => {
  const response = await fetch(new URL(path, app.base))
  return { response, text: await response.text() }
}

test('every guide and every page of the introduction is in the contents once', () => {
  const files = ['docs/introduction', 'docs/guides'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  )
  const listed = pages.map(({ file }) => file).filter((file) => file.startsWith('docs/'))
  expect(listed.toSorted()).toEqual(files.toSorted())
})

test('the client and the changelog have pages', () => {
  const paths = pages.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['/docs/sdk', '/docs/changelog']))
})

test.each(pages)('$path is a page and a Markdown file with the address of this server', async ({ path }) => {
  const page = await get(path)
  expect(page.response.status).toBe(200)
  expect(page.response.headers.get('link')).toBe(`<${path}.md>; rel="alternate"; type="text/markdown"`)
  const markdown = await get(`${path}.md`)
  expect(markdown.response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  for (const { text } of [page, markdown])
    expect(text).not.toMatch(/https:\/\/gable\.example|127\.0\.0\.1:8080/)
})

test('every link and anchor of the pages leads somewhere on this server', async () => {
  const shown = await readPages(origin)
  const places = new Set(
    shown.flatMap(({ path, headings, codes, body }) => [
      path,
      ...[...headings, ...codes].map(({ id }) => `${path}#${id}`),
      ...[...body.markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${path}#${id}`),
    ]),
  )
  const besides = new Set(['/docs/api', '/docs/', '/docs', '/v1/openapi.json'])
  const broken = shown.flatMap(({ path, body }) =>
    [...body.markup.matchAll(/ href="([^"]+)"/g)]
      .map(([, href = '']) => (href.startsWith('#') ? path + href : href))
      .filter((href) => !/^https?:/.test(href) && !besides.has(href) && !places.has(href))
      .map((href) => `${path} → ${href}`),
  )
  expect(broken).toEqual([])
})

test('every error response leads to the row of its code', async () => {
  const { response, text } = await get('/v1/contacts')
  const { error } = JSON.parse(text) as { error: { code: string; doc_url: string } }
  expect(response.status).toBe(401)
  const url = new URL(error.doc_url)
  expect(url.hash).toBe(`#${error.code}`)
  expect((await get(url.pathname)).text).toContain(`<tr id="${error.code}">`)
})

test('the search index has titles, headings, and error codes', async () => {
  const index = JSON.parse((await get('/docs/search.json')).text) as {
    title: string
    url: string
    page?: string
  }[]
  expect(index).toContainEqual({ title: 'Errors', url: '/docs/errors' })
  expect(index).toContainEqual({ title: 'rate_limited', url: '/docs/errors#rate_limited', page: 'Errors' })
  expect(index).toContainEqual({
    title: 'Verify the signature',
    url: '/docs/guides/receive-webhooks#verify-the-signature',
    page: 'Receive webhooks',
  })
})

test('llms.txt lists every page, and llms-full.txt has them all', async () => {
  const list = (await get('/llms.txt')).text
  const full = (await get('/llms-full.txt')).text
  for (const section of contents) expect(list).toContain(`## ${section.title}\n`)
  for (const { path, title, summary } of await readPages(new URL(app.base).origin)) {
    expect(list).toContain(`](${new URL(path, app.base).href}.md): ${summary}\n`)
    expect(full).toContain(`# ${title}\n`)
  }
})

test('the first load of a page is at most 60 kB, compressed as browsers ask for it', async () => {
  const sent = async (path: string) => Number((await get(path)).response.headers.get('content-length'))
  for (const { path } of pages) {
    const { text } = await get(path)
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset)
    const sizes = await Promise.all([path, ...assets].map(sent))
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    const whole = sizes.reduce((sum, size) => sum + size, 0)
    expect({ path, fits: whole <= 60_000 || whole }).toEqual({ path, fits: true })
  }
})
