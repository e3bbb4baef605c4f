import { AppError } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'

const titles: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Request too large',
  429: 'Too many requests',
  503: 'Try again in a moment',
}

/** A page and its forms, rate-limited by address. Renders errors as pages too. */
export const pageRoute = (path: string, methods: PlainRoute['methods']): PlainRoute => ({
  path,
  methods,
  maxBodyBytes: 64 * 1024,
  counted: true,
  errorResponse: (error, requestId) =>
    error.status < 500
      ? errorPage(error)
      : page({
          title: titles[error.status] ?? 'Something went wrong',
          status: error.status,
          main: html`<p>${error.message}</p>\n<p class="muted">Request id: <code>${requestId}</code></p>`,
        }),
})

/** A page that reports an error. `header` is the header of the person's other pages. */
export function errorPage({ status, body: { message, headers } }: AppError, header?: Html): PlainResponse {
  const title = titles[status] ?? 'That did not work'
  const response = page({ title, status, ...(header && { header }), main: html`<p>${message}</p>` })
  return { ...response, headers: { ...headers, ...response.headers } }
}

/** Renders client errors (4xx) as pages with this header. Rethrows other errors so that they are logged. */
export async function presentErrors(
  header: Html,
  respond: () => Promise<PlainResponse>,
): Promise<PlainResponse> {
  try {
    return await respond()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return errorPage(error, header)
    throw error
  }
}
