import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { pages } from './contents.ts'
import { type Shown, llmsFullText, llmsText, overview, pageOfDocs, readPages, searchIndex } from './pages.ts'
import { referenceRoutes } from './reference.ts'

const text = (type: string, body: string): PlainResponse => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' },
  body,
})

/**
 * The documentation: the guides as pages and as Markdown, a search over them, and the API reference. `origin`: the
 * server's public URL, without a trailing slash; known once the server listens.
 */
export function docsRoutes(origin: () => string): readonly PlainRoute[] {
  let shown: Promise<readonly Shown[]> | undefined
  const route = (path: string, respond: (all: readonly Shown[]) => PlainResponse): PlainRoute => ({
    path,
    counted: true,
    methods: { GET: async () => respond(await (shown ??= readPages(origin()))) },
  })
  return [
    {
      path: '/docs',
      counted: true,
      methods: { GET: async () => ({ status: 301, headers: { location: '/docs/' }, body: '' }) },
    },
    route('/docs/', overview),
    ...pages.flatMap(({ path }, at) => [
      route(path, (all) => pageOfDocs(all, orNotFound(all[at]))),
      route(`${path}.md`, (all) => text('text/markdown', orNotFound(all[at]).markdown)),
    ]),
    route('/docs/search.json', (all) => text('application/json', JSON.stringify(searchIndex(all)))),
    route('/llms.txt', (all) => text('text/plain', llmsText(all, origin()))),
    route('/llms-full.txt', (all) => text('text/plain', llmsFullText(all))),
    ...referenceRoutes,
  ]
}
