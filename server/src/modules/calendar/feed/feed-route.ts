import type { Runtime } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { readFeed } from './feed.ts'

const plain = { 'content-type': 'text/plain; charset=utf-8' }

/** Calendar feeds, served at secret URLs. */
export const feedRoutes = (runtime: Runtime): PlainRoute[] => [
  {
    path: '/calendar/feeds/:feed',
    counted: true,
    methods: {
      async GET({ params }) {
        const file = await readFeed(runtime, params['feed'] ?? '')
        if (file === undefined)
          return { status: 404, headers: plain, body: 'No calendar has this address.\n' }
        const headers = {
          'content-type': 'text/calendar; charset=utf-8',
          'cache-control': 'private, max-age=300',
          'x-robots-tag': 'noindex',
        }
        return { status: 200, headers, body: file }
      },
    },
  },
]
