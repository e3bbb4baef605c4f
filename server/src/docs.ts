import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { apiBase } from './api.ts'

/** The reference page at `/docs`. Its script comes from this server, and it loads nothing from anywhere else. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: `${apiBase}/openapi.json`, withDefaultFonts: false, telemetry: false, hideClientButton: true },
  })
}
