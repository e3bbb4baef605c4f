import * as oauth from 'openid-client'

/** Nobody has connected the app, or somebody has taken it back: the person has to be asked. */
export class NotConnected extends Error {}

/** Gable has said no, and why. */
export class Refused extends Error {}

/** Gable wants to be left alone for some seconds. */
export class Busy extends Error {
  /** @param {number} seconds */
  constructor(seconds) {
    super(`Gable asks to wait for ${seconds} s.`)
    this.seconds = seconds
  }
}

/**
 * @typedef {object} GableOptions
 * @property {URL} url  where Gable is
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {string} redirectUri
 * @property {string} scope
 * @property {import('./store.js').Store} store
 *
 * @typedef {{ state: string, verifier: string }} Attempt  to be remembered until the person is back
 */

const patience = () => AbortSignal.timeout(10_000)

/** A minute before an access token ends it is replaced. */
const earlyMs = 60_000

/** One workspace's Gable, as the app reaches it. */
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
      // Everywhere but on this machine Gable is reached by https.
      execute: /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname) ? [oauth.allowInsecureRequests] : [],
    })
    return new Gable(config, options)
  }

  /** Where to send a person who is to be asked. */
  async ask() {
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
   * The person is back, at this address. Throws what openid-client throws: AuthorizationResponseError when they have
   * denied, ClientError when the answer is not one to this attempt.
   *
   * @param {URL} address
   * @param {Attempt} attempt
   */
  async connect(address, { state, verifier }) {
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    this.#keep(await oauth.authorizationCodeGrant(this.#config, address, checks))
  }

  /**
   * Calls the API. Throws NotConnected, Busy, Refused, and what fetch throws.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    const token = await this.#accessToken()
    let response = await this.#send(token, method, path, body)
    // It may be the token, or what stands behind it. Refreshing tells.
    if (response.status === 401) response = await this.#send(await this.#refresh(token), method, path, body)
    if (response.status === 401) throw new NotConnected()
    if (response.status === 429) throw new Busy(Number(response.headers.get('retry-after') ?? 60))
    if (!response.ok) throw new Refused(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /** Gives everything back. */
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
      signal: patience(),
    })
  }

  async #accessToken() {
    const connection = this.#options.store.read()
    if (connection === undefined) throw new NotConnected()
    const { access_token, expires_at } = connection.tokens
    return Date.now() < expires_at - earlyMs ? access_token : this.#refresh(access_token)
  }

  /**
   * Another access token than this one. A refresh token works once, and showing it twice ends the connection: so all who
   * need one wait for the same. Several processes would take a lock in their database here.
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
      // Revoked, or too old, or used already in a try whose answer was lost: no other try will do.
      if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
        this.#options.store.clear()
        throw new NotConnected()
      }
      throw error
    }
  }

  /** @param {oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers} answer */
  #keep(answer) {
    const { access_token, refresh_token = '' } = answer
    const expires_at = Date.now() + (answer.expiresIn() ?? 0) * 1000
    this.#options.store.write({
      ...this.#options.store.read(),
      tokens: { access_token, refresh_token, expires_at },
    })
    return access_token
  }
}
