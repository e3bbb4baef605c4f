import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PlainRoute } from '#kernel/http/plain-route.ts'

const style = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const ours = (name: string) => new URL(`assets/${name}`, import.meta.url)

const files = {
  'style.css': { type: style, from: ours('style.css') },
  'parts.css': { type: style, from: ours('parts.css') },
  'docs.css': { type: style, from: ours('docs.css') },
  'docs.js': { type: script, from: ours('docs.js') },
  'icon.svg': { type: 'image/svg+xml', from: ours('icon.svg') },
  'passkeys.js': { type: script, from: ours('passkeys.js') },
  'simplewebauthn.js': {
    type: script,
    from: new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')),
  },
}

export type AssetName = keyof typeof files

const contents = new Map(
  Object.entries(files).map(([name, { type, from }]) => {
    const body = readFileSync(from, 'utf8')
    return [name, { path: `/assets/${hash('sha256', body).slice(0, 12)}/${name}`, type, body }]
  }),
)

/** The path of a file. It changes whenever the file's content changes. */
export const assetPath = (name: AssetName): string => contents.get(name)?.path ?? ''

/** The files that pages load. Browsers may cache them forever. */
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
  errorResponse: ({ status, body: { message } }) => ({
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: message,
  }),
}))
