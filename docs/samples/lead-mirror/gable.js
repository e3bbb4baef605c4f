import * as oauth from 'openid-client'

/** The app is not connected, or no longer: the person has to connect it. */
export class NotConnected extends Error {}

/** An error response; the message has its body. */
export class Rejected extends Error {}

/** The rate limit is exceeded. */
export class RateLimited extends Error {
  /** @param {number} seconds */
  constructor(seconds) {
    super(`Try again in ${seconds} s.`)
    this.seconds = seconds
  }
}

/**
 * @typedef {object} GableOptions
 * @property {URL} url  of Gable
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {string} redirectUri
 * @property {string} scope
 * @property {import('./store.js').Store} store
 *
 * @typedef {{ state: string, verifier: string }} Attempt  to be stored until the callback
 */

const requestTimeout = () => AbortSignal.timeout(10_000)

/** An access token is refreshed this long before it expires. */
const earlyMs = 60_000

/** The connection to one workspace. */
export class Gable {
  #config
  #options
  /** @type {Promise<string> | undefined} */
  #refreshing

  /**
   * @param {oauth.Configuration} config
   * @param {GableOptions} options
   */
  constructor(config, options) {
    this.#config = config
    this.#options = options
  }

  /** @param {GableOptions} options */
  static async open(options) {
    const { url, clientId, clientSecret } = options
    const config = await oauth.discovery(url, clientId, undefined, oauth.ClientSecretBasic(clientSecret), {
      algorithm: 'oauth2',
      // Only a Gable on this machine is reached without https.
      execute: /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname) ? [oauth.allowInsecureRequests] : [],
    })
    return new Gable(config, options)
  }

  /** The URL of the consent page, for a new attempt to connect. */
  async authorizationRequest() {
    const attempt = { state: oauth.randomState(), verifier: oauth.randomPKCECodeVerifier() }
    const { redirectUri, scope } = this.#options
    const url = oauth.buildAuthorizationUrl(this.#config, {
      redirect_uri: redirectUri,
      scope,
      state: attempt.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, attempt }
  }

  /**
   * Handles the callback. Throws what openid-client throws: AuthorizationResponseError if the person denied, ClientError if
   * the callback does not belong to this attempt.
   *
   * @param {URL} address
   * @param {Attempt} attempt
   */
  async connect(address, { state, verifier }) {
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    this.#keep(await oauth.authorizationCodeGrant(this.#config, address, checks))
  }

  /**
   * Calls the API. Throws NotConnected, RateLimited, Rejected, and what fetch throws.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    const token = await this.#accessToken()
    let response = await this.#send(token, method, path, body)
    // The token may have been revoked, or the whole connection. Refreshing shows which.
    if (response.status === 401) response = await this.#send(await this.#refresh(token), method, path, body)
    if (response.status === 401) throw new NotConnected()
    if (response.status === 429) throw new RateLimited(Number(response.headers.get('retry-after') ?? 60))
    if (!response.ok) throw new Rejected(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /** Revokes all tokens. */
  async disconnect() {
    const connection = this.#options.store.read()
    if (connection === undefined) return
    await oauth.tokenRevocation(this.#config, connection.tokens.refresh_token)
    this.#options.store.clear()
  }

  /**
   * @param {string} token
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  #send(token, method, path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return fetch(new URL(`/v1${path}`, this.#options.url), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: requestTimeout(),
    })
  }

  async #accessToken() {
    const connection = this.#options.store.read()
    if (connection === undefined) throw new NotConnected()
    const { access_token, expires_at } = connection.tokens
    return Date.now() < expires_at - earlyMs ? access_token : this.#refresh(access_token)
  }

  /**
   * Returns a newer access token than `stale`. A refresh token works once, and using it twice ends the connection, so
   * concurrent callers share one refresh. With several processes, take a lock in your database here.
   *
   * @param {string} stale
   */
  #refresh(stale) {
    this.#refreshing ??= this.#refreshOnce(stale).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** @param {string} stale */
  async #refreshOnce(stale) {
    const connection = this.#options.store.read()
    if (connection === undefined) throw new NotConnected()
    const { access_token, refresh_token } = connection.tokens
    if (access_token !== stale) return access_token
    try {
      return this.#keep(await oauth.refreshTokenGrant(this.#config, refresh_token))
    } catch (error) {
      // Revoked, expired, or used before with a response that was lost: retrying does not help.
      if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
        this.#options.store.clear()
        throw new NotConnected()
      }
      throw error
    }
  }

  /** @param {oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers} tokens */
  #keep(tokens) {
    const { access_token, refresh_token = '' } = tokens
    const expires_at = Date.now() + (tokens.expiresIn() ?? 0) * 1000
    this.#options.store.write({
      ...this.#options.store.read(),
      tokens: { access_token, refresh_token, expires_at },
    })
    return access_token
  }
}
