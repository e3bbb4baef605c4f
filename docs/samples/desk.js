/**
 * A desktop program: sends the person to the consent page, waits for the callback on a local port, and prints the newest
 * leads. It stores nothing, and revokes its access when it exits.
 */
import { on, once } from 'node:events'
import { createServer } from 'node:http'
import { Gable, GableError, GableOAuth } from 'gable'

const { GABLE_URL: baseUrl = 'http://127.0.0.1:8080', CLIENT_ID: clientId = '' } = process.env

// Any free port: Gable ignores the port of a loopback redirect URI.
const listener = createServer().listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
const redirectUri = `http://127.0.0.1:${port}/callback`

const oauth = new GableOAuth({ baseUrl, clientId, redirectUri })
const attempt = await oauth.authorize('leads:read')
console.log(`Open this URL in your browser:\n${attempt.url}`)

try {
  const tokens = await oauth.connect(await callbackOf(listener), attempt)
  const gable = new Gable({ baseUrl, accessToken: tokens.accessToken })
  const { data } = await gable.leads.list({ limit: 5, fields: ['created_at', 'first_name', 'source'] })
  for (const { created_at, first_name, source } of data)
    console.log(printable(`${created_at} ${first_name ?? 'Unknown'} from ${source}`))
  await oauth.revoke(tokens.refreshToken ?? tokens.accessToken)
} catch (error) {
  if (!(error instanceof GableError)) throw error
  console.error(error.code === 'access_denied' ? 'You did not allow the program.' : `Error: ${error.message}`)
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
    const own = address.pathname === '/callback' && address.searchParams.get('state') === attempt.state
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
