import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { GableError } from 'gable'
import { isEnded } from './connection.js'
import { connectPage, leadsPage, lineOf, messagePage } from './pages.js'
import { Arrivals, subscribe, unsubscribe } from './subscription.js'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {{ connection: import('./connection.js').Connection, store: import('./store.js').Store, appUrl: URL }} Parts
 * @typedef {(request: Request, response: Response, address: URL) => Promise<unknown> | unknown} Route
 */

/** The name of the cookie that ties an attempt to connect to the browser that began it. */
const attemptCookie = 'lead_mirror_attempt'

/** @param {Parts} parts */
export function createApp({ connection, store, appUrl }) {
  const { gable } = connection
  const arrivals = new Arrivals()
  const webhookUrl = new URL('/webhook', appUrl).href
  /** By state. In production, expire these after some minutes. @type {Map<string, import('gable').Attempt>} */
  const attempts = new Map()

  /** @type {Record<string, Route>} */
  const routes = {
    async 'GET /'(_request, response, address) {
      const stored = store.read()
      if (stored === undefined) return show(response, 200, connectPage())
      const cursor = address.searchParams.get('cursor')
      const page = await gable.leads.list({ limit: 20, ...(cursor === null ? {} : { cursor }) })
      const subscribed = stored.webhook !== undefined
      const shown = { leads: page.data, next: page.nextCursor, arrivals: arrivals.newest, subscribed }
      return show(response, 200, leadsPage(shown))
    },

    async 'GET /connect'(_request, response) {
      const attempt = await connection.begin()
      attempts.set(attempt.state, attempt)
      redirect(
        response,
        attempt.url,
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
      await connection.connect(address, attempt)
      try {
        await subscribe(gable, store, webhookUrl)
      } catch (error) {
        // For example a URL that Gable does not deliver to. The leads can still be read.
        if (!(error instanceof GableError) || isEnded(error)) throw error
        console.error(error)
      }
      redirect(response, '/', `${attemptCookie}=; Path=/; Max-Age=0`)
    },

    async 'POST /webhook'(request, response) {
      const secret = store.read()?.webhook?.secret
      const body = await bodyOf(request)
      try {
        if (secret === undefined) throw new Error('There is no webhook.')
        await arrivals.take(body, request.headers, secret)
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
      await connection.disconnect()
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
      if (isEnded(error)) store.clear()
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
  if (isEnded(error))
    return show(response, 200, connectPage('The connection has ended. Connect again to continue.'))
  const code = error instanceof GableError ? error.code : ''
  if (code === 'access_denied')
    return show(response, 200, connectPage('You did not allow the app. Nothing is connected.'))
  if (code === 'invalid_callback')
    return show(
      response,
      400,
      messagePage('Start again', 'This callback does not belong to the connection that you started.'),
    )
  if (error instanceof GableError && code === 'rate_limited') {
    const seconds = String(Math.ceil(((error.retryAt?.getTime() ?? 0) - Date.now()) / 1000))
    const headers = { 'retry-after': seconds, refresh: seconds }
    return show(response, 503, messagePage('Too many requests', `Try again in ${seconds} s.`), headers)
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
 * Reads a body. Throws if it is larger than any delivery.
 *
 * @param {Request} request
 */
async function bodyOf(request) {
  const pieces = []
  let size = 0
  for await (const piece of request) {
    pieces.push(piece)
    size += piece.length
    if (size > 1_000_000) throw new Error('The body is too large.')
  }
  return Buffer.concat(pieces)
}
