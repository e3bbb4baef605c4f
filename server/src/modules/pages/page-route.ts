import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { html } from './html.ts'
import { notice } from './page.ts'

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'There is nothing here',
  405: 'This page does not do that',
  409: 'That did not work',
  413: 'That is too much',
  429: 'Too often',
  503: 'Try again in a moment',
}

/** A page with its forms, counted by address. Whatever is refused is told on a page, too. */
export const pageRoute = (path: string, methods: PlainRoute['methods']): PlainRoute => ({
  path,
  methods,
  maxBodyBytes: 64 * 1024,
  counted: true,
  refuse: ({ status, body: { message } }, requestId) =>
    status < 500
      ? notice(status, titles[status] ?? 'That did not work', message)
      : notice(status, titles[status] ?? 'Something went wrong', message, html`<code>${requestId}</code>`),
})

/** What leads nowhere below a path of pages is told on a page. */
export const nothingUnder = (path: string): PlainRoute =>
  pageRoute(`${path}/*`, {
    GET: async () => notice(404, 'There is nothing here', 'This address leads nowhere.'),
  })
