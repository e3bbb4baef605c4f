import { GableError } from './error.js'
import { type AccessToken, originOf } from './gable.js'
import { exchange } from './transport.js'

export interface OAuthOptions {
  /** The public URL of the server, such as `https://gable.example`. Callbacks must name it as their issuer. */
  baseUrl: string
  clientId: string
  /** Left out for a public app. */
  clientSecret?: string
  redirectUri?: string
  fetch?: typeof fetch
}

/** The access of an app to one workspace. Store it encrypted. */
export interface Tokens {
  accessToken: string
  /** Null for client credentials. */
  refreshToken: string | null
  /** In epoch milliseconds. */
  expiresAt: number
  scope: string
  /** The ID of the workspace. */
  tenantId: string
}

/** An attempt to connect. Store `state` and `verifier` until the callback, where only this person's browser finds them. */
export interface Attempt {
  /** Send the browser here. */
  url: string
  state: string
  verifier: string
}

/** Where the tokens of one workspace are stored. With several processes, `write` and `read` share a database. */
export interface TokenStore {
  read(): Tokens | Promise<Tokens>
  write(tokens: Tokens): unknown
}

/** A token is renewed this long before it expires. */
const earlyMs = 60_000
const timeoutMs = 30_000

/** The OAuth 2.0 client of an app. Errors have the codes of OAuth, such as `invalid_grant`. */
export class GableOAuth {
  readonly #options: OAuthOptions
  readonly #origin: string

  constructor(options: OAuthOptions) {
    this.#options = options
    this.#origin = originOf(options.baseUrl)
  }

  /** Begins to connect a workspace, with PKCE. `scope`: separated by blanks. */
  async authorize(scope: string): Promise<Attempt> {
    const [state, verifier] = [random(), random()]
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#options.clientId,
      redirect_uri: this.#options.redirectUri ?? '',
      scope,
      state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    })
    return { url: `${this.#origin}/oauth/authorize?${query}`, state, verifier }
  }

  /**
   * Exchanges the code in the URL of the callback. Throws `access_denied` if the person declined, and
   * `invalid_callback` if the callback does not belong to this attempt.
   */
  async connect(
    callback: string | URL,
    { state, verifier }: Pick<Attempt, 'state' | 'verifier'>,
  ): Promise<Tokens> {
    const params = new URL(callback).searchParams
    if (params.get('state') !== state || originOf(params.get('iss') ?? '') !== this.#origin)
      throw new GableError('invalid_callback', 'The callback does not belong to this attempt.')
    const error = params.get('error')
    if (error !== null) throw new GableError(error, params.get('error_description') ?? error)
    return this.#grant({
      grant_type: 'authorization_code',
      code: params.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: this.#options.redirectUri ?? '',
    })
  }

  /** Gets new tokens. A refresh token works once: store the new one before anything else. */
  refresh(refreshToken: string): Promise<Tokens> {
    return this.#grant({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  /** Gets a token without a person, for a workspace that has authorized the app. */
  clientCredentials(tenantId: string, scope?: string): Promise<Tokens> {
    return this.#grant({
      grant_type: 'client_credentials',
      tenant_id: tenantId,
      ...(scope === undefined ? {} : { scope }),
    })
  }

  /** Revokes a token: with a refresh token, all tokens of the connection. */
  async revoke(token: string): Promise<void> {
    await this.#post('/oauth/revoke', { token })
  }

  /**
   * Returns the `accessToken` of a `Gable`. It renews the stored tokens when they are about to expire or are rejected;
   * concurrent calls share one renewal, because using a refresh token twice ends the connection.
   */
  accessToken(tokens: Tokens | TokenStore): AccessToken {
    const store = 'read' in tokens ? tokens : memoryStore(tokens)
    let renewal: Promise<string> | undefined
    const renew = async (stale: string) => {
      const { accessToken, refreshToken, tenantId, scope } = await store.read()
      if (accessToken !== stale) return accessToken
      const renewed = await (refreshToken === null
        ? this.clientCredentials(tenantId, scope)
        : this.refresh(refreshToken))
      await store.write(renewed)
      return renewed.accessToken
    }
    return async (rejected) => {
      const { accessToken, expiresAt } = await store.read()
      if (accessToken !== rejected && Date.now() < expiresAt - earlyMs) return accessToken
      return (renewal ??= renew(accessToken).finally(() => (renewal = undefined)))
    }
  }

  async #grant(parameters: Record<string, string>): Promise<Tokens> {
    const body = await this.#post('/oauth/token', parameters)
    const {
      access_token,
      refresh_token = null,
      expires_in,
      scope,
      tenant_id,
    } = body as {
      access_token: string
      refresh_token?: string
      expires_in: number
      scope: string
      tenant_id: string
    }
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresAt: Date.now() + expires_in * 1000,
      scope,
      tenantId: tenant_id,
    }
  }

  async #post(path: string, parameters: Record<string, string>): Promise<unknown> {
    const { clientId, clientSecret, fetch: send = (input, init) => fetch(input, init) } = this.#options
    const isPublic = clientSecret === undefined
    const { body } = await exchange(
      send,
      this.#origin + path,
      {
        method: 'POST',
        headers: isPublic ? {} : { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams(isPublic ? { ...parameters, client_id: clientId } : parameters),
      },
      timeoutMs,
    )
    return body
  }
}

const memoryStore = (first: Tokens): TokenStore => {
  let tokens = first
  return { read: () => tokens, write: (next) => (tokens = next) }
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
