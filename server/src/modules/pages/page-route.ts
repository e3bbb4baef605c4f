import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { notice } from './page.ts'

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'There is nothing here',
  405: 'This page does not do that',
  409: 'That did not work',
  413: 'That is too much',
  429: 'Too many attempts',
  503: 'Try again in a moment',
}

/** A page with its forms. Whatever is refused is told on a page, too. */
export const pageRoute = (path: string, methods: PlainRoute['methods']): PlainRoute => ({
  path,
  methods,
  maxBodyBytes: 64 * 1024,
  refuse: ({ status, body: { message } }) =>
    notice(status, titles[status] ?? (status < 500 ? 'That did not work' : 'Something went wrong'), message),
})
