import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Browser, personIn, signedInBrowser } from '../support/browser.ts'
import { bearer, registerApp } from './scene.ts'

/** This client library expects a redirect_uri without a query. */
const redirectUri = 'https://mirror.example/callback'

let app: TestApp
let workspace: TestWorkspace
let owner: Browser

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  owner = await signedInBrowser(app, await personIn(workspace))
})
afterAll(() => app[Symbol.asyncDispose]())

/** An owner opens the URL and decides. Returns the callback URL. */
async function decide(url: URL, decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
  const page = url.pathname + url.search
  const { status, location } = await owner.submit(page, { decision }, page)
  expect(status).toBe(303)
  return new URL(location)
}

const insecure: openid.DiscoveryRequestOptions = {
  execute: [openid.allowInsecureRequests],
  algorithm: 'oauth2',
}

test.each([
  ['Basic', openid.ClientSecretBasic],
  ['the form', openid.ClientSecretPost],
])(
  'openid-client connects, refreshes, revokes, and uses client credentials, with its secret in %s',
  async (_how, method) => {
    const mirror = await registerApp(app, { redirect_uris: [redirectUri] })
    const config = await openid.discovery(
      new URL(app.url),
      mirror.app.id,
      {},
      method(mirror.secret),
      insecure,
    )
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const back = await decide(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'contacts:read leads:write',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    )
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(config, back, checks)
    expect([tokens.scope, tokens['tenant_id'], tokens.expires_in]).toEqual([
      'contacts:read leads:write',
      workspace.id,
      3600,
    ])
    const ping = new URL(`${app.base}/ping`)
    expect((await openid.fetchProtectedResource(config, tokens.access_token, ping, 'GET')).status).toBe(200)

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '')
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await bearer(app, refreshed.access_token).get('/ping')).status).toBe(401)

    const machine = await openid.clientCredentialsGrant(config, { tenant_id: workspace.id })
    expect((await bearer(app, machine.access_token).get('/ping')).body['workspace'].id).toBe(workspace.id)
  },
)

test('openid-client reports a denial and a wrong secret', async () => {
  const mirror = await registerApp(app, { redirect_uris: [redirectUri] })
  const secret = openid.ClientSecretBasic('wrong')
  const config = await openid.discovery(new URL(app.url), mirror.app.id, {}, secret, insecure)
  const verifier = openid.randomPKCECodeVerifier()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'contacts:read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const denied = await decide(url, 'deny')
  const checks = { pkceCodeVerifier: verifier }
  await expect(openid.authorizationCodeGrant(config, denied, checks)).rejects.toMatchObject({
    error: 'access_denied',
  })
  const exchange = openid.authorizationCodeGrant(config, await decide(url), checks)
  await expect(exchange).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 })
})

test('oauth4webapi connects, refreshes, and revokes as a native app on a free loopback port', async () => {
  const native = await registerApp(app, { confidential: false, redirect_uris: ['http://127.0.0.1/done'] })
  const listener = createServer()
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const uri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/done`
  const options = { [oauth.allowInsecureRequests]: true }

  const issuer = new URL(app.url)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  )
  const client: oauth.Client = { client_id: native.app.id }
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: native.app.id,
    redirect_uri: uri,
    response_type: 'code',
    scope: 'contacts:write',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()

  // The browser follows the redirect to the program, which reads the result.
  const arrived = once(listener, 'request')
  const followed = fetch(await decide(url))
  const [request, response] = await arrived
  response.end('You can close this window.')
  expect(await (await followed).text()).toBe('You can close this window.')
  listener.close()

  const parameters = oauth.validateAuthResponse(server, client, new URL(request.url, uri), state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      uri,
      verifier,
      options,
    ),
  )
  const ping = await oauth.protectedResourceRequest(
    tokens.access_token,
    'GET',
    new URL(`${app.base}/ping`),
    undefined,
    undefined,
    options,
  )
  expect(((await ping.json()) as { scopes: string[] }).scopes).toEqual(['contacts:read', 'contacts:write'])

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', options),
  )
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.access_token, options),
  )
  const resource = oauth.protectedResourceRequest(
    refreshed.access_token,
    'GET',
    new URL(`${app.base}/ping`),
    undefined,
    undefined,
    options,
  )
  await expect(resource).rejects.toMatchObject({
    cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
  })
})
