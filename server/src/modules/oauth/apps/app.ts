import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  internal,
  readOnly,
  required,
  text,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { allScopes } from '../../access/public.ts'
import { Line } from '../../workspaces/public.ts'
import { inScopeOrder } from '../scope-list.ts'
import { maxUriLength, redirectUriIssue } from './redirect-uri.ts'

const RedirectUris = Type.Array(text(maxUriLength), {
  minItems: 1,
  maxItems: 20,
  description:
    'Where Gable sends authorization codes. Each URI begins with `https://`; with `http://127.0.0.1`, `http://[::1]`, or `http://localhost`, which match any port; or with a scheme such as `com.example.app:`. It must not have a fragment, a user name, or a password.',
})
const Scopes = Type.Array(Type.String({ enum: allScopes }), {
  minItems: 1,
  maxItems: 100,
  description: 'The scopes that the app can request.',
})

const fields = {
  name: required(Line),
  redirect_uris: required(RedirectUris, { normalize: (uris: string[]) => [...new Set(uris)] }),
  scopes: required(Scopes, { normalize: inScopeOrder }),
  confidential: createOnly(
    defaulted(
      Type.Boolean({
        description:
          'Whether the app can keep a secret, such as an app that runs on a server. A public app has no secret and authenticates only with PKCE.',
      }),
      true,
    ),
  ),
  disabled_at: readOnly(nullable(Timestamp), null),
  secret_prefix: readOnly(
    nullable(Type.String({ description: 'The beginning of the client secret. `null` for a public app.' })),
    null,
  ),
  previous_secret_until: readOnly(
    nullable(Type.String({ description: 'When the previous client secret stops working.' })),
    null,
  ),
  /** The workspace that registered it. */
  workspace_id: internal(Type.String(), ''),
}

export const appRecord = defineRecord('App', {
  fields,
  example: {
    name: 'Lead Mirror',
    redirect_uris: ['https://mirror.example/callback'],
    scopes: ['contacts:read', 'leads:read'],
  },
  shownExample: { secret_prefix: 'gbl_cs_4fT9x' },
  patchExample: { name: 'Lead Mirror for teams' },
  check: ({ redirect_uris }): Issue[] =>
    redirect_uris.flatMap((uri, at) => {
      const message = redirectUriIssue(uri)
      return message === undefined ? [] : [{ path: `redirect_uris.${at}`, message }]
    }),
})

export type AppRow = RowOf<typeof fields>
export type AppDraft = Static<typeof appRecord.Draft>
export type AppPatch = PatchOf<typeof fields>

export const AppWithSecret = extendRecord(
  'AppWithSecret',
  appRecord,
  {
    client_id: Type.String({ description: 'The same as `id`.' }),
    client_secret: nullable(
      Type.String({ description: 'The client secret. It is shown only once. `null` for a public app.' }),
    ),
  },
  {
    client_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    client_secret: 'gbl_cs_4fT9x2mQ7bW1pK8sL5vR3nZ6cY0hD4gJ9aE2uT7iO1qX3e',
  },
)

export function presentApp({ workspace_id: _, ...app }: AppRow): Static<typeof appRecord.Record> {
  return app
}
