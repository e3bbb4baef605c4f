import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from '#test/support/code-point.ts'
import type { AppRow } from '../apps/app.ts'
import { parseForm } from '../form.ts'
import { validateAuthorizeRequest } from './authorize-request.ts'

const app: AppRow = {
  id: 'cmi8hb7w40005m2n6c8v0b3x5',
  workspace_id: 'cmi8hb7w40006m2n6c8v0b3x5',
  name: 'Lead Mirror',
  redirect_uris: ['https://mirror.example/callback?of=gable', 'http://127.0.0.1/done'],
  scopes: ['contacts:write'],
  confidential: true,
  secret_prefix: null,
  previous_secret_until: null,
  disabled_at: null,
  created_at: '2026-03-02T15:00:00.000Z',
  updated_at: '2026-03-02T15:00:00.000Z',
}

const one = <T>(right: T, ...wrong: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(right) }, fc.constantFrom(right, ...wrong))

/** Requests that are mostly valid, mixed with what careless or hostile clients send. */
const queries = fc
  .tuple(
    fc.record({
      client_id: one(
        `client_id=${app.id}`,
        '',
        'client_id=',
        `client_id=${app.id}&client_id=${app.id}`,
        'client_id=%zz',
      ),
      redirect: one(
        `redirect_uri=${encodeURIComponent(app.redirect_uris[0] ?? '')}`,
        'redirect_uri=http://127.0.0.1:5000/done',
        'redirect_uri=http://127.0.0.1:5000@evil.example/done',
        'redirect_uri=https://evil.example/',
        '',
      ),
      type: one(
        'response_type=code',
        'response_type=token',
        'response_type=',
        'response_type=code&response_type=code',
      ),
      scope: one(
        'scope=contacts:read',
        'scope=contacts:write+contacts:read',
        'scope=leads:read',
        'scope=',
        'scope=%ff',
      ),
      challenge: one(`code_challenge=${'x'.repeat(43)}`, 'code_challenge=short', ''),
      method: one('code_challenge_method=S256', 'code_challenge_method=plain', ''),
      more: one('', 'x=1', 'x=1&x=2', '%=1'),
    }),
    fc.option(fc.string({ unit: codePoint, minLength: 1, maxLength: 20 }), { nil: undefined }),
    fc.boolean(),
  )
  .map(([parts, state, known]) => ({ parts, state, known }))

test('never redirects to an unregistered URI or accepts an invalid request', () => {
  const met = new Set<string>()
  fc.assert(
    fc.property(queries, ({ parts, state, known }) => {
      const withState = state === undefined ? [] : [`state=${encodeURIComponent(state)}`]
      const query = [...Object.values(parts), ...withState].join('&')
      const verdict = validateAuthorizeRequest(
        parseForm(query),
        known ? app : undefined,
        'https://gable.example',
      )
      met.add(verdict.kind)
      const [uri] = app.redirect_uris
      if (verdict.kind === 'error') {
        const target = verdict.location
        expect(
          known &&
            (target.startsWith(`${uri}&error=`) || target.startsWith('http://127.0.0.1:5000/done?error=')),
        ).toBe(true)
        expect(new URL(target).searchParams.get('state')).toBe(state ?? null)
      }
      if (verdict.kind === 'valid') {
        expect([parts.type, parts.method, parts.challenge.length]).toEqual([
          'response_type=code',
          'code_challenge_method=S256',
          58,
        ])
        expect(verdict.request).toMatchObject({ app, state, challenge: 'x'.repeat(43) })
        expect(
          verdict.request.scopes.every((scope) => ['contacts:read', 'contacts:write'].includes(scope)),
        ).toBe(true)
        expect([uri, 'http://127.0.0.1:5000/done']).toContain(verdict.request.redirectUri)
      }
    }),
    { numRuns: 3000 },
  )
  expect([...met].sort()).toEqual(['error', 'unknown-client', 'valid'])
})
