/**
 * A desktop program: sends the person to the consent page, waits for the callback on a local port, and prints the newest
 * leads. It stores nothing, and revokes its access when it exits.
 */
import { on, once } from 'node:events'
import { createServer } from 'node:http'
import * as oauth from 'openid-client'

const { GABLE_URL = 'http://127.0.0.1:8080', CLIENT_ID = '' } = process.env
const gable = new URL(GABLE_URL)

const config = await oauth.discovery(gable, CLIENT_ID, undefined, oauth.None(), {
  algorithm: 'oauth2',
  // Only a Gable on this machine is reached without https.
  execute: /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(gable.hostname) ? [oauth.allowInsecureRequests] : [],
})

// Any free port: Gable ignores the port of a loopback redirect URI.
const listener = createServer().listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
const redirectUri = `http://127.0.0.1:${port}/callback`

const expectedState = oauth.randomState()
const pkceCodeVerifier = oauth.randomPKCECodeVerifier()
const authorizationUrl = oauth.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'leads:read',
  state: expectedState,
  code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
})
console.log(`Open this URL in your browser:\n${authorizationUrl.href}`)

try {
  const address = await callbackOf(listener)
  const tokens = await oauth.authorizationCodeGrant(config, address, { expectedState, pkceCodeVerifier })
  const leads = new URL('/v1/leads?limit=5', gable)
  const response = await oauth.fetchProtectedResource(config, tokens.access_token, leads, 'GET')
  const { data } = /** @type {{ data: Record<string, string | null>[] }} */ (await response.json())
  for (const { created_at, first_name, source } of data)
    console.log(printable(`${created_at} ${first_name ?? 'Unknown'} from ${source}`))
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
 * Waits for the callback. Other requests, such as one with another state, get a 404.
 *
 * @param {import('node:http').Server} server
 * @returns {Promise<URL>}
 */
async function callbackOf(server) {
  const timeout = { signal: AbortSignal.timeout(5 * 60_000) }
  for await (const [request, response] of on(server, 'request', timeout)) {
    const address = new URL(request.url, redirectUri)
    const own = address.pathname === '/callback' && address.searchParams.get('state') === expectedState
    response.writeHead(own ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
    response.end(own ? 'Thank you. You can close this window.' : 'Not found.')
    if (own) return address
  }
  throw new Error('The callback did not arrive in time.')
}

/**
 * Replaces control characters, so that a terminal does not interpret a name as a command.
 *
 * @param {string} text
 */
function printable(text) {
  return text.replaceAll(/\p{C}/gu, '?')
}
