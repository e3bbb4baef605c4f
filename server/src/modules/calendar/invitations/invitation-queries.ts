import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'

const InvitationRow = Type.Object({
  person: Type.String(),
  method: Type.Enum(['REQUEST', 'CANCEL']),
  sequence: Type.Integer(),
  version: Type.Integer(),
})
export type Invitation = Static<typeof InvitationRow>

/** The last invitation or cancellation sent to each person for an appointment. */
export const listSentInvitations = (db: Db, appointmentId: string) =>
  db.many(InvitationRow)`
    select person, method, sequence, version from appointment_invitations
    where workspace_id = ${db.workspaceId} and appointment_id = ${appointmentId} order by person limit 1000`

export const saveInvitation = (
  tx: WorkspaceTx,
  appointmentId: string,
  { person, method, sequence, version }: Invitation,
): void =>
  tx.write`
    insert into appointment_invitations (workspace_id, appointment_id, person, method, sequence, version)
    values (${tx.workspaceId}, ${appointmentId}, ${person}, ${method}, ${sequence}, ${version})
    on conflict (workspace_id, appointment_id, person) do update
      set method = excluded.method, sequence = excluded.sequence, version = excluded.version`

/** Deletes the record that these people were invited. */
export const deleteInvitations = (tx: WorkspaceTx, persons: readonly string[]): void =>
  tx.write`
    delete from appointment_invitations
    where workspace_id = ${tx.workspaceId} and person = any (${persons}::text[] collate "C")`
