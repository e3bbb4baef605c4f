import { Type } from 'typebox'
import type { Lease } from '#kernel/background/lease.ts'
import type { DirectoryDb, WorkspaceTx } from '#kernel/db/handles.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import type { ProviderAccount } from './ports.ts'

type Mailbox = Pick<ProviderAccount, 'id' | 'workspaceId'>

const MailboxRow = Type.Object({
  mailbox_position: Type.Union([Type.String(), Type.Null()]),
  mailbox_failures: Type.Integer(),
})

/**
 * Claims the mailbox of a connection: it is due again when the lease ends. Returns undefined while another worker's claim
 * lasts, or if the mailbox was read too recently.
 */
export const claimMailbox = (directory: DirectoryDb, { id, workspaceId }: Mailbox, { at, until }: Lease) =>
  directory.maybeOne(MailboxRow)`
    update connections set mailbox_due_at = ${until}
    where workspace_id = ${workspaceId} and id = ${id} and mailbox_due_at <= ${at}
    returning mailbox_position, mailbox_failures`

/**
 * Saves the position up to which a mailbox has been read, in the transaction that records what was read. Extends the claim.
 * `missingAt`: when an email was read without results of the mail server, or null if it had them; undefined if there was no email.
 */
export const saveMailboxPosition = (
  tx: WorkspaceTx,
  id: string,
  { position, until, missingAt }: { position: string; until: Date; missingAt?: Date | null | undefined },
): void =>
  tx.write`
    update connections set mailbox_position = ${position}, mailbox_due_at = ${until}
      ${missingAt === undefined ? empty : sql`, authentication_missing_at = ${missingAt}`}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Ends a claim. `dueAt`: when the mailbox may be read next. `error`: why it could not be read to its end, or null. */
export const releaseMailbox = (
  directory: DirectoryDb,
  { id, workspaceId }: Mailbox,
  { dueAt, failures, error }: { dueAt: Date; failures: number; error: string | null },
) =>
  directory.run`
    update connections set mailbox_due_at = ${dueAt}, mailbox_failures = ${failures}, mailbox_error = ${error}
    where workspace_id = ${workspaceId} and id = ${id}`

/**
 * Makes a mailbox due at once, after its settings or credentials changed. New settings (`isAnother`) may name another
 * mailbox, in which the saved position is not valid, or another ID of the mail server.
 */
export const restartMailbox = (tx: WorkspaceTx, id: string, at: Date, isAnother: boolean): void =>
  tx.write`
    update connections set mailbox_due_at = ${at}, mailbox_failures = 0,
      mailbox_position = case when ${isAnother}::boolean and mailbox_position is not null then '' else mailbox_position end,
      authentication_missing_at = case when ${isAnother}::boolean then null else authentication_missing_at end
    where workspace_id = ${tx.workspaceId} and id = ${id}`
