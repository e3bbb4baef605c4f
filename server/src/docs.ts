import type { FastifyInstance } from 'fastify'
import { apiBase } from './api.ts'

/** The page's script is this server's own, and the policy keeps it from loading or calling anything elsewhere. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

/** The reference page at `/docs`, with requests to try against this server. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  // A tenth of a second, which commands that serve nothing need not wait for.
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', policy)
    })
    await pages.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: `${apiBase}/openapi.json`,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
