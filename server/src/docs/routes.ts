import { orNotFound } from '#kernel/errors.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { pages } from './contents.ts'
import { documentRoute, typed } from './document-route.ts'
import { type Shown, llmsFullText, llmsText, overview, pageOfDocs, readPages, searchIndex } from './pages.ts'
import { referenceRoutes } from './reference.ts'

/**
 * The documentation: the guides as pages and as Markdown, a search over them, and the API reference. `origin`: the
 * server's public URL, without a trailing slash; known once the server listens.
 */
export function docsRoutes(origin: () => string): readonly PlainRoute[] {
  let shown: Promise<readonly Shown[]> | undefined
  const all = () => (shown ??= readPages(origin()))
  const text = (path: string, type: string, make: (shown: readonly Shown[]) => string) =>
    documentRoute(path, async () => ({ headers: typed(type), body: make(await all()) }))
  return [
    {
      path: '/docs',
      counted: true,
      methods: { GET: async () => ({ status: 301, headers: { location: '/docs/' }, body: '' }) },
    },
    documentRoute('/docs/', async () => overview(await all())),
    ...pages.flatMap(({ path }, at) => [
      documentRoute(path, async () => pageOfDocs(await all(), orNotFound((await all())[at]))),
      text(`${path}.md`, 'text/markdown', (every) => orNotFound(every[at]).markdown),
    ]),
    text('/docs/search.json', 'application/json', (every) => JSON.stringify(searchIndex(every))),
    text('/llms.txt', 'text/plain', (every) => llmsText(every, origin())),
    text('/llms-full.txt', 'text/plain', llmsFullText),
    ...referenceRoutes,
  ]
}
