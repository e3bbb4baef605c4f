import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { precompressed } from '#kernel/http/precompressed.ts'

interface Document {
  headers: Record<string, string | string[]>
  body: string | Buffer
}

export const typed = (contentType: string) => ({
  'content-type': `${contentType}; charset=utf-8`,
  'x-content-type-options': 'nosniff',
})

/** A document that is the same for everyone, made when it is first requested. Its headers take precedence over those of its caching. */
export function documentRoute(path: string, make: () => Promise<Document> | Document): PlainRoute {
  let made: Promise<Document> | undefined
  const document = () => (made ??= Promise.resolve(make()))
  const respond = precompressed(async () => Buffer.from((await document()).body))
  return {
    path,
    counted: true,
    methods: {
      async GET(request) {
        const { status, headers, body } = await respond(request.headers)
        return { status, headers: { ...headers, ...(await document()).headers }, body }
      },
    },
  }
}
