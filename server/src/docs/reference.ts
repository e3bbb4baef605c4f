import fastify from 'fastify'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { apiBase } from '../api.ts'
import { documentRoute, typed } from './document-route.ts'

/**
 * Scripts come only from this server; inline scripts and eval are not allowed. Nothing is loaded from or sent to
 * other hosts.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const configuration = {
  url: `${apiBase}/openapi.json`,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  agent: { disabled: true },
  mcp: { disabled: true },
  // What the examples send, until the reader enters a key of their own.
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { value: 'token gbl_key_YOUR_KEY' } },
  },
  // Keep codes in tables whole, and make examples readable without scrolling.
  customCss: `.markdown table { table-layout: auto }
    .markdown :is(th, td) { word-break: normal !important; overflow-wrap: normal !important }
    .markdown td code { white-space: nowrap }
    .markdown pre code { white-space: pre-wrap !important }`,
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Gable</title>
</head>
<body>
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

/** The API reference at `/docs/api`, from which requests can be tried against this server. */
export const referenceRoutes: readonly PlainRoute[] = [
  documentRoute('/docs/api', () => ({
    headers: { ...typed('text/html'), 'content-security-policy': policy },
    body: page,
  })),
  documentRoute('/docs/reference.js', async () => ({
    headers: { ...typed('text/javascript'), 'cache-control': 'public, max-age=3600' },
    body: await loadScript(),
  })),
]

/** Scalar's browser bundle. Its package offers the bundle only through a plugin that serves it. */
async function loadScript(): Promise<Buffer> {
  // Takes a tenth of a second, so load it on the first request.
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await using server = fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration })
  const { statusCode, rawPayload } = await server.inject('/docs/js/scalar.js')
  if (statusCode !== 200) throw new Error("The reference's script is missing from its package.")
  return rawPayload
}
