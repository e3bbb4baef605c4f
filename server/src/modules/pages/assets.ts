import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PlainRoute } from '#kernel/http/plain-route.ts'

const types = {
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

export type AssetName = keyof typeof types

const contents = new Map(
  Object.entries(types).map(([name, type]) => {
    const body = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
    return [name, { path: `/assets/${hash('sha256', body).slice(0, 12)}/${name}`, type, body }]
  }),
)

/** Where a file is served: an address that changes with what is in it. */
export const assetPath = (name: AssetName): string => contents.get(name)?.path ?? ''

/** The files that pages load. Each may be kept for ever. */
export const assetRoutes: readonly PlainRoute[] = [...contents.values()].map(({ path, type, body }) => ({
  path,
  maxBodyBytes: 1,
  methods: {
    GET: async () => ({
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
      body,
    }),
  },
  refuse: ({ status, body: { message } }) => ({
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: message,
  }),
}))
