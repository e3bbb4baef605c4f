import { type Static, type TObject, Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/** Defines an audit event of apps. It goes into the journal of the workspace that it concerns. */
const audited = <D extends TObject>(
  name: string,
  subject: 'app' | 'grant',
  summary: string,
  data: D,
  example: Static<D>,
  titleOf: (data: Static<D>) => string = () => summary,
) =>
  event(name, {
    scope: null,
    summary,
    subject,
    data,
    example,
    entry: (given) => ({ type: 'system', title: titleOf(given) }),
  })

const appId = 'cmi8hb7w40005m2n6c8v0b3x5'
const grantId = 'cmi8hb7w40006m2n6c8v0b3x5'

const App = Type.Object({ id: Type.String(), name: Type.String() })
const anApp = { id: appId, name: 'Lead Mirror' }

const appEvent = (name: string, summary: string) => audited(name, 'app', summary, App, anApp)

export const AppRegistered = appEvent('app.registered', 'An app was registered')
export const AppUpdated = audited(
  'app.updated',
  'app',
  'An app was changed',
  Type.Object({
    ...App.properties,
    changed: Type.Array(Type.Enum(['name', 'redirect_uris', 'scopes'])),
    scopes: Type.Array(Type.String(), { description: 'Scopes that it may request now.' }),
    redirect_uris: Type.Array(Type.String(), { description: 'Where codes are sent now.' }),
  }),
  {
    ...anApp,
    changed: ['scopes'],
    scopes: ['contacts:read'],
    redirect_uris: ['https://mirror.example/callback'],
  },
)
export const AppSecretRotated = appEvent('app.secret_rotated', 'The secret of an app was replaced')
export const AppDisabled = appEvent('app.disabled', 'An app was disabled')
export const AppEnabled = appEvent('app.enabled', 'An app was enabled')
export const AppDeleted = appEvent('app.deleted', 'An app was deleted')

const grant = { id: Type.String(), app_id: Type.String(), app_name: Type.String() }
const aGrant = { id: grantId, app_id: appId, app_name: anApp.name }

const Approval = Type.Object({ ...grant, member_id: Type.String(), scopes: Type.Array(Type.String()) })
const anApproval = { ...aGrant, member_id: 'cmi8hb7w40007m2n6c8v0b3x5', scopes: ['contacts:read'] }

export const GrantApproved = audited('grant.approved', 'grant', 'An app was connected', Approval, anApproval)

/** `scopes` lists all scopes of the grant. */
export const GrantWidened = audited(
  'grant.widened',
  'grant',
  'An app was approved again',
  Approval,
  anApproval,
)

/** Modules that keep records for the app delete them. */
export const GrantRevoked = audited(
  'grant.revoked',
  'grant',
  'An app was disconnected',
  Type.Object(grant),
  aGrant,
)

/**
 * The app's owner removed scopes from the app. `scopes` lists those that remain of the grant, so that modules can
 * narrow the records they keep for the app.
 */
export const GrantNarrowed = audited(
  'grant.narrowed',
  'grant',
  'The scopes of an app were reduced by its owner',
  Type.Object({ ...grant, scopes: Type.Array(Type.String()) }),
  { ...aGrant, scopes: ['contacts:read'] },
)

/** The app's owner disabled the app. Modules pause the records they keep for it. */
export const GrantSuspended = audited(
  'grant.suspended',
  'grant',
  'An app was disabled by its owner',
  Type.Object(grant),
  aGrant,
)

export const GrantResumed = audited(
  'grant.resumed',
  'grant',
  'An app was enabled by its owner',
  Type.Object(grant),
  aGrant,
)

const revocations = {
  code_replayed: 'An authorization code was used twice, so its tokens were revoked',
  token_replayed: 'A refresh token was used twice, so its tokens were revoked',
  asked: 'The app revoked its tokens',
}

export const TokensRevoked = audited(
  'grant.tokens_revoked',
  'grant',
  'Tokens of an app were revoked',
  Type.Object({
    ...grant,
    reason: Type.Enum(['code_replayed', 'token_replayed', 'asked'], {
      description: 'A code or a refresh token was used twice, or the app requested it.',
    }),
  }),
  { ...aGrant, reason: 'token_replayed' },
  ({ reason }) => revocations[reason],
)
