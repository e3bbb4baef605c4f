/**
 * A program on somebody's own machine: sends them to the consent page, waits for them on a port of this machine, and
 * prints the newest leads. It keeps nothing; at its end it gives its access back.
 */
import { on, once } from 'node:events'
import { createServer } from 'node:http'
import * as oauth from 'openid-client'

const { GABLE_URL = 'http://127.0.0.1:8080', CLIENT_ID = '' } = process.env
const gable = new URL(GABLE_URL)

const config = await oauth.discovery(gable, CLIENT_ID, undefined, oauth.None(), {
  algorithm: 'oauth2',
  // Everywhere but on this machine Gable is reached by https.
  execute: /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(gable.hostname) ? [oauth.allowInsecureRequests] : [],
})

// Whichever port is free: for a loopback address Gable compares everything but that.
const listener = createServer().listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
const redirectUri = `http://127.0.0.1:${port}/callback`

const expectedState = oauth.randomState()
const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
const question = oauth.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'leads:read',
  state: expectedState,
  code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
})
console.log(`Open this in your browser:\n${question.href}`)

try {
  const address = await answerOf(listener)
  const tokens = await oauth.authorizationCodeGrant(config, address, { expectedState, pkceCodeVerifier })
  const leads = new URL('/v1/leads?limit=5', gable)
  const response = await oauth.fetchProtectedResource(config, tokens.access_token, leads, 'GET')
  const { data } = /** @type {{ data: Record<string, string | null>[] }} */ (await response.json())
  for (const { created_at, first_name, source } of data)
    console.log(printable(`${created_at} ${first_name ?? 'somebody'} from ${source}`))
  if (tokens.refresh_token !== undefined) await oauth.tokenRevocation(config, tokens.refresh_token)
} catch (error) {
  if (!(error instanceof oauth.AuthorizationResponseError)) throw error
  console.error(`Not allowed: ${error.error}`)
  process.exitCode = 1
} finally {
  listener.close()
  listener.closeAllConnections()
}

/**
 * Where the person comes back to. What else knocks at the port, such as another program's request with another state, is
 * sent away.
 *
 * @param {import('node:http').Server} server
 * @returns {Promise<URL>}
 */
async function answerOf(server) {
  const patience = { signal: AbortSignal.timeout(5 * 60_000) }
  for await (const [request, response] of on(server, 'request', patience)) {
    const address = new URL(request.url, redirectUri)
    const own = address.pathname === '/callback' && address.searchParams.get('state') === expectedState
    response.writeHead(own ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
    response.end(own ? 'Thank you. You can close this window.' : 'Not here.')
    if (own) return address
  }
  throw new Error('Nobody came back.')
}

/**
 * Names are whatever somebody has typed: a terminal must not take them for commands.
 *
 * @param {string} text
 */
function printable(text) {
  return text.replaceAll(/\p{C}/gu, '?')
}
