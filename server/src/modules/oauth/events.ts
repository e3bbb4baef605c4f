import { type Static, type TObject, Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/**
 * The audit log of apps: what was registered, granted and revoked, by whom and when, in the journal of the workspace that
 * it concerns. All of it stays inside the house.
 */
const audited = <D extends TObject>(
  name: string,
  subject: 'app' | 'grant',
  summary: string,
  data: D,
  example: Static<D>,
) =>
  event(name, {
    scope: null,
    summary,
    subject,
    data,
    example,
    personal: [],
    timelineOf: () => null,
    entry: () => ({ type: 'system', title: summary }),
  })

const appId = 'cmi8hb7w40005m2n6c8v0b3x5'
const grantId = 'cmi8hb7w40006m2n6c8v0b3x5'

const App = Type.Object({ id: Type.String(), name: Type.String() })
const anApp = { id: appId, name: 'Lead Mirror' }

const appEvent = (name: string, summary: string) => audited(name, 'app', summary, App, anApp)

export const AppWasRegistered = appEvent('app.registered', 'An app was registered')
export const AppWasUpdated = audited(
  'app.updated',
  'app',
  'An app was changed',
  Type.Object({
    ...App.properties,
    changed: Type.Array(Type.Enum(['name', 'redirect_uris', 'scopes'])),
    scopes: Type.Array(Type.String(), { description: 'What it may ask for from now on.' }),
  }),
  { ...anApp, changed: ['scopes'], scopes: ['contacts:read'] },
)
export const AppSecretWasRotated = appEvent('app.secret_rotated', 'The secret of an app was replaced')
export const AppWasDisabled = appEvent('app.disabled', 'An app was disabled')
export const AppWasEnabled = appEvent('app.enabled', 'An app was enabled')
export const AppWasDeleted = appEvent('app.deleted', 'An app was deleted')

const grant = { id: Type.String(), app_id: Type.String(), app_name: Type.String() }
const aGrant = { id: grantId, app_id: appId, app_name: anApp.name }

const Approval = Type.Object({ ...grant, member_id: Type.String(), scopes: Type.Array(Type.String()) })
const anApproval = { ...aGrant, member_id: 'cmi8hb7w40007m2n6c8v0b3x5', scopes: ['contacts:read'] }

export const GrantWasApproved = audited(
  'grant.approved',
  'grant',
  'An app was allowed to act for the workspace',
  Approval,
  anApproval,
)

/** `scopes`: all that it has from now on. */
export const GrantWasWidened = audited(
  'grant.widened',
  'grant',
  'An app was approved again',
  Approval,
  anApproval,
)

/** Modules that keep something for an app let go of it when they hear this. */
export const GrantWasRevoked = audited(
  'grant.revoked',
  'grant',
  'An app may no longer act for the workspace',
  Type.Object(grant),
  aGrant,
)

/** The owner of the app lets it ask for less. `scopes`: what is left of the grant; what is kept for it keeps to these. */
export const GrantWasNarrowed = audited(
  'grant.narrowed',
  'grant',
  'An app may do less, as its owner wants it',
  Type.Object({ ...grant, scopes: Type.Array(Type.String()) }),
  { ...aGrant, scopes: ['contacts:read'] },
)

/** The app was disabled by its owner: what is kept for it rests. */
export const GrantWasSuspended = audited(
  'grant.suspended',
  'grant',
  'An app was disabled by its owner',
  Type.Object(grant),
  aGrant,
)

export const GrantWasResumed = audited(
  'grant.resumed',
  'grant',
  'An app was enabled by its owner',
  Type.Object(grant),
  aGrant,
)

export const TokensWereRevoked = audited(
  'grant.tokens_revoked',
  'grant',
  'Tokens of an app were revoked',
  Type.Object({
    ...grant,
    reason: Type.Enum(['code_replayed', 'token_replayed', 'asked'], {
      description: 'A code or a refresh token was used twice, or the app asked for it.',
    }),
  }),
  { ...aGrant, reason: 'token_replayed' },
)
