import { type Static, Type } from 'typebox'
import { extendRecord } from '#kernel/records/extend.ts'
import { type RowOf, internal, readOnly } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { allowedFor } from '../scope-list.ts'

const fields = {
  app_id: readOnly(Type.String(), 'cmi8hb7w40005m2n6c8v0b3x5'),
  member_id: readOnly(
    Type.String({ description: 'The owner or admin who approved the app last.' }),
    'cmi8h2k5p0000y7w2d5g8j1m4',
  ),
  scopes: readOnly(
    Type.Array(Type.String(), {
      description: 'The granted scopes, without scopes that the app may no longer request.',
    }),
    ['contacts:read'],
  ),
  last_used_at: readOnly(nullable(Timestamp), null),
  /** The workspace that the app may act for. */
  workspace_id: internal(Type.String(), ''),
  revoked_at: internal(nullable(Timestamp), null),
}

export const grantRecord = defineRecord('Grant', { fields, example: {}, patchExample: {} })

export type GrantRow = RowOf<typeof fields>

/** A grant with the app's name and the scopes that the app may request now. */
export const NamedGrantRow = Type.Intersect([
  grantRecord.Row,
  Type.Object({ app_name: Type.String(), app_scopes: Type.Array(Type.String()) }),
])
export type NamedGrantRow = Static<typeof NamedGrantRow>

export const ConnectedApp = extendRecord(
  'ConnectedApp',
  grantRecord,
  { app_name: Type.String() },
  { app_name: 'Lead Mirror' },
)

/** The scopes that the app can use: those that were granted and that it may still request. */
export const scopesInForce = ({ scopes, app_scopes }: NamedGrantRow): string[] =>
  allowedFor(scopes, { scopes: app_scopes })

export function presentGrant(row: NamedGrantRow): Static<typeof ConnectedApp> {
  const { workspace_id: _, revoked_at: __, app_scopes: ___, ...grant } = row
  return { ...grant, scopes: scopesInForce(row) }
}
