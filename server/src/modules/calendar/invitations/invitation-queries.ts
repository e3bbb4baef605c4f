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
      set method = excluded.method, sequence = excluded.sequence, version = excluded.version,
        response = null, responded_at = null`

/** Records what a person responded to their last invitation. Returns whether they were invited. */
export const saveResponse = async (
  tx: WorkspaceTx,
  {
    appointmentId,
    persons,
    response,
    at,
  }: { appointmentId: string; persons: readonly string[]; response: string; at: Date },
): Promise<boolean> =>
  (await tx.run`
    update appointment_invitations set response = ${response}, responded_at = ${at}
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointmentId} and method = 'REQUEST'
      and person = (
        select person from appointment_invitations
        where workspace_id = ${tx.workspaceId} and appointment_id = ${appointmentId}
          and person = any (${persons}::text[] collate "C") limit 1)`) > 0

export const responses = ['accepted', 'declined', 'tentative'] as const

const ResponseRow = Type.Object({
  appointment_id: Type.String(),
  person: Type.String(),
  response: Type.Enum(responses),
  responded_at: Type.String(),
})

/** What people responded to the invitations to these appointments. */
export const listResponses = (db: Db, appointmentIds: readonly string[]) =>
  db.many(ResponseRow)`
    select appointment_id, person, response, responded_at from appointment_invitations
    where workspace_id = ${db.workspaceId} and appointment_id = any (${appointmentIds}::text[] collate "C")
      and response is not null
    order by appointment_id, person`

/** Deletes the record that these people were invited. */
export const deleteInvitations = (tx: WorkspaceTx, persons: readonly string[]): void =>
  tx.write`
    delete from appointment_invitations
    where workspace_id = ${tx.workspaceId} and person = any (${persons}::text[] collate "C")`
