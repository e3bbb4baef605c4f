import { hash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { allScopes } from '../../src/modules/access/public.ts'
import { findLiveGrant } from '../../src/modules/oauth/grants/queries.ts'
import { type AppRow, approve, createApp, revokeGrant } from '../../src/modules/oauth/public.ts'
import { createMember, type Role } from '../../src/modules/workspaces/public.ts'
import type { TestApp, TestWorkspace } from '../support/app.ts'
import type { Browser } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { withHeaders } from '../support/session-client.ts'

export const redirectUri = 'https://mirror.example/callback?of=gable'

/** A PKCE verifier and its challenge. */
export function newPkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

/** The path to which an app sends the browser to request access. */
export const authorizePath = ({ app }: RegisteredApp, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: app.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'contacts:read:pii leads:write',
    state: 'a state',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...more,
  }).toString()}`

/** Opens the consent page and submits its form. */
export const decide = (who: Browser, path: string, decision: 'allow' | 'deny', more = {}) =>
  who.submit(path, { decision, ...more }, path)

export interface RegisteredApp {
  app: AppRow
  secret: string | undefined
  /** The fields that identify the app in a form. */
  credentials: Record<string, string>
}

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  tenant_id: string
}

export interface TokenResponse {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export interface AppOptions {
  confidential?: boolean
  scopes?: string[]
  redirect_uris?: string[]
}

/** Registers an app in a workspace of its own. */
export async function registerApp(
  app: TestApp,
  { confidential = true, scopes = allScopes, redirect_uris = [redirectUri] }: AppOptions = {},
): Promise<RegisteredApp> {
  const { ctx } = await app.workspace('Developers')
  const made = await createApp(ctx, { name: 'Lead Mirror', redirect_uris, scopes, confidential })
  const { secret } = made
  const credentials = {
    client_id: made.app.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
  }
  return { app: made.app, secret, credentials }
}

let people = 0

export const memberOf = ({ ctx }: TestWorkspace, role: Role = 'owner') =>
  createMember(ctx, { name: 'A person', email: `approver-${process.pid}-${++people}@gable.example`, role })

export interface Approval {
  scopes?: readonly string[]
  redirectUri?: string
  state?: string
}

/** A member of the workspace approves the app. Returns the code and its verifier. */
export async function approveApp(
  workspace: TestWorkspace,
  { app }: RegisteredApp,
  { scopes = ['contacts:read'], redirectUri: uri = redirectUri, state }: Approval = {},
): Promise<{ code: string; verifier: string; location: string }> {
  const { verifier, challenge } = newPkce()
  const member = await memberOf(workspace)
  const request = { app, redirectUri: uri, scopes, challenge, state }
  const location = await approve(workspace.ctx, member.id, request)
  return { code: new URL(location).searchParams.get('code') ?? '', verifier, location }
}

/** Revokes the workspace's grant for the app. Throws a 404 error if there is none. */
export async function disconnect({ ctx }: TestWorkspace, appId: string) {
  const grant = await findLiveGrant(ctx.directory, appId, ctx.workspaceId)
  return revokeGrant(ctx, grant?.id ?? 'none')
}

/** Posts a form to an endpoint of the OAuth server. A stream is sent chunked. */
export async function post(
  app: TestApp,
  endpoint: 'token' | 'revoke',
  form: Record<string, string> | string | ReadableStream,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const isText = typeof form === 'string' || form instanceof ReadableStream
  const response = await fetch(`${app.url}/oauth/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: isText ? form : new URLSearchParams(form).toString(),
    duplex: 'half',
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}

/** The form that exchanges a code for tokens. */
export const codeForm = (
  { credentials }: RegisteredApp,
  { code, verifier }: { code: string; verifier: string },
): Record<string, string> => ({
  grant_type: 'authorization_code',
  ...credentials,
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

export const refreshForm = (
  { credentials }: RegisteredApp,
  refreshToken: string,
): Record<string, string> => ({
  grant_type: 'refresh_token',
  ...credentials,
  refresh_token: refreshToken,
})

/** Approves the app and exchanges the code. Returns the tokens. */
export async function connect(
  app: TestApp,
  workspace: TestWorkspace,
  registered: RegisteredApp,
  approval: Approval = {},
): Promise<Tokens> {
  const approved = await approveApp(workspace, registered, approval)
  const { status, body } = await post(app, 'token', codeForm(registered, approved))
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`)
  return body as unknown as Tokens
}

/** An API client with this access token. */
export const bearer = (app: TestApp, token: string): Client =>
  withHeaders(app, { authorization: `Bearer ${token}` })

/** A context in any workspace, for use cases that act in another one than the test's. */
export const inWorkspace = (app: TestApp, workspaceId: string) =>
  createContext(app.runtime, {
    workspaceId,
    actor: { type: 'system', id: null, name: 'test' },
    scopes: new Set(allScopes),
  })

/** A form with some of its fields changed or removed. */
export const changed = (
  form: Record<string, string>,
  change: Record<string, string | undefined>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...form, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )

/** The Authorization header of a client. */
export const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })

/** Expects an error of the token endpoint in the format of RFC 6749, 5.2. */
export function expectError({ status, headers, body }: TokenResponse, code: string, expected = 400): void {
  expect([status, body['error']]).toEqual([expected, code])
  expect(Object.keys(body)).toEqual(['error', 'error_description'])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  expect(headers.get('www-authenticate')?.startsWith('Basic realm=') ?? false).toBe(expected === 401)
}
