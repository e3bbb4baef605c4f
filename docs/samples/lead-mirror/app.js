import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as oauth from 'openid-client'
import { NotConnected, RateLimited, Rejected } from './gable.js'
import { connectPage, leadsPage, lineOf, messagePage } from './pages.js'
import { Arrivals, subscribe, unsubscribe } from './subscription.js'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {{ gable: import('./gable.js').Gable, store: import('./store.js').Store, appUrl: URL }} Parts
 * @typedef {(request: Request, response: Response, address: URL) => Promise<unknown> | unknown} Route
 */

/** The name of the cookie that ties an attempt to connect to the browser that began it. */
const attemptCookie = 'lead_mirror_attempt'

/** @param {Parts} parts */
export function createApp({ gable, store, appUrl }) {
  const arrivals = new Arrivals()
  const webhookUrl = new URL('/webhook', appUrl).href
  /** By state. In production, expire these after some minutes. @type {Map<string, import('./gable.js').Attempt>} */
  const attempts = new Map()

  /** @type {Record<string, Route>} */
  const routes = {
    async 'GET /'(_request, response, address) {
      const connection = store.read()
      if (connection === undefined) return show(response, 200, connectPage())
      const query = new URLSearchParams({ limit: '20' })
      const cursor = address.searchParams.get('cursor')
      if (cursor !== null) query.set('cursor', cursor)
      const { data, next_cursor } = await gable.request('GET', `/leads?${query}`)
      const subscribed = connection.webhook !== undefined
      const shown = { leads: data, next: next_cursor, arrivals: arrivals.newest, subscribed }
      return show(response, 200, leadsPage(shown))
    },

    async 'GET /connect'(_request, response) {
      const { url, attempt } = await gable.authorizationRequest()
      attempts.set(attempt.state, attempt)
      redirect(
        response,
        url,
        `${attemptCookie}=${attempt.state}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax`,
      )
    },

    async 'GET /callback'(request, response, address) {
      // Only the browser that began the attempt can finish it.
      const state = new RegExp(`${attemptCookie}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? ''
      const attempt = attempts.get(state)
      if (attempt === undefined)
        return show(response, 400, messagePage('Start again', 'This browser did not start this connection.'))
      attempts.delete(state)
      await gable.connect(address, attempt)
      try {
        await subscribe(gable, store, webhookUrl)
      } catch (error) {
        // For example a URL that Gable does not deliver to. The leads can still be read.
        if (!(error instanceof Rejected)) throw error
        console.error(error)
      }
      redirect(response, '/', `${attemptCookie}=; Path=/; Max-Age=0`)
    },

    async 'POST /webhook'(request, response) {
      const secret = store.read()?.webhook?.secret
      const body = await bodyOf(request)
      const headers = /** @type {Record<string, string>} */ (request.headers)
      try {
        if (secret === undefined) throw new Error('There is no webhook.')
        arrivals.take(body, headers, secret)
        response.writeHead(204).end()
      } catch {
        response.writeHead(401).end()
      }
    },

    'GET /arrivals'(_request, response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(': listening\n\n')
      /** @param {import('./subscription.js').Arrival} arrival */
      const send = (arrival) => response.write(`data: ${JSON.stringify(lineOf(arrival))}\n\n`)
      arrivals.listeners.add(send)
      response.on('close', () => arrivals.listeners.delete(send))
    },

    async 'POST /disconnect'(request, response) {
      // A form on another site has another origin.
      if (request.headers.origin !== appUrl.origin) return response.writeHead(403).end()
      await unsubscribe(gable, webhookUrl)
      await gable.disconnect()
      redirect(response, '/')
    },

    'GET /live.js': file('live.js', 'text/javascript'),
    'GET /style.css': file('style.css', 'text/css'),
  }

  return createServer(async (request, response) => {
    const address = new URL(request.url ?? '/', appUrl)
    const route = routes[`${request.method} ${address.pathname}`]
    if (route === undefined) return response.writeHead(404).end()
    try {
      await route(request, response, address)
    } catch (error) {
      showError(error, response)
    }
  })
}

/**
 * Shows an error as a page.
 *
 * @param {unknown} error
 * @param {Response} response
 */
function showError(error, response) {
  if (error instanceof NotConnected)
    return show(response, 200, connectPage('The connection has ended. Connect again to continue.'))
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')
    return show(response, 200, connectPage('You did not allow the app. Nothing is connected.'))
  if (error instanceof oauth.ClientError && error.code === 'OAUTH_INVALID_RESPONSE')
    return show(
      response,
      400,
      messagePage('Start again', 'This callback does not belong to the connection that you started.'),
    )
  if (error instanceof RateLimited) {
    const seconds = String(error.seconds)
    const headers = { 'retry-after': seconds, refresh: seconds }
    return show(response, 503, messagePage('Too many requests', error.message), headers)
  }
  console.error(error)
  return show(response, 502, messagePage('Something went wrong', 'The request to Gable failed. See the log.'))
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} page
 * @param {import('node:http').OutgoingHttpHeaders} [headers]
 */
const show = (response, status, page, headers) =>
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      ...headers,
    })
    .end(page)

/**
 * @param {Response} response
 * @param {string} location
 * @param {string} [cookie]
 */
const redirect = (response, location, cookie) =>
  response.writeHead(303, { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) }).end()

/**
 * @param {string} name
 * @param {string} type
 * @returns {Route}
 */
function file(name, type) {
  const content = readFileSync(new URL(`public/${name}`, import.meta.url))
  return (_request, response) =>
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
}

/**
 * Reads a body as text. Throws if it is larger than any delivery.
 *
 * @param {Request} request
 */
async function bodyOf(request) {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += piece
    if (text.length > 1_000_000) throw new Error('The body is too large.')
  }
  return text
}
