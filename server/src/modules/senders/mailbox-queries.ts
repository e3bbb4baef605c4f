import { Type } from 'typebox'
import { type Lease, hasEnded, leaseEnd, leaseFrom } from '#kernel/background/lease.ts'
import type { Clock } from '#kernel/clock.ts'
import type { DirectoryDb, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import type { ProviderAccount } from './ports.ts'

type Mailbox = Pick<ProviderAccount, 'id' | 'workspaceId'>

const MailboxRow = Type.Object({
  mailbox_position: Type.Union([Type.String(), Type.Null()]),
  mailbox_failures: Type.Integer(),
})

/** The longest pause between two readings of a mailbox, after failures. */
export const longestMailboxPauseMs = 10 * 60_000

/** An expression: whether a mailbox may be read: no claim lasts, and no pause. */
export const isMailboxDue = (clock: Clock): Sql =>
  hasEnded(sql`mailbox_due_at`, leaseFrom(clock, longestMailboxPauseMs))

/**
 * Claims the mailbox of a connection: it is due again when the lease ends. Returns undefined while another worker's claim
 * lasts, or if the mailbox was read too recently.
 */
export const claimMailbox = (
  directory: DirectoryDb,
  { id, workspaceId }: Mailbox,
  clock: Clock,
  { despitePause = false }: { despitePause?: boolean | undefined } = {},
) =>
  directory.maybeOne(MailboxRow)`
    update connections set mailbox_due_at = ${leaseEnd(leaseFrom(clock))}
    where workspace_id = ${workspaceId} and id = ${id} and (${despitePause} or ${isMailboxDue(clock)})
    returning mailbox_position, mailbox_failures`

/**
 * Saves the position up to which a mailbox has been read, in the transaction that records what was read. Extends the claim.
 * `missingAt`: when an email was read without results of the mail server, or null if it had them; undefined if there was no email.
 */
export const saveMailboxPosition = (
  tx: WorkspaceTx,
  id: string,
  { position, lease, missingAt }: { position: string; lease: Lease; missingAt?: Date | null | undefined },
): void =>
  tx.write`
    update connections set mailbox_position = ${position}, mailbox_due_at = ${leaseEnd(lease)}
      ${missingAt === undefined ? empty : sql`, authentication_missing_at = ${missingAt}`}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Ends a claim. `pause`: ends when the mailbox may be read next. `error`: why it could not be read to its end, or null. */
export const releaseMailbox = (
  directory: DirectoryDb,
  { id, workspaceId }: Mailbox,
  { pause, failures, error }: { pause: Lease; failures: number; error: string | null },
) =>
  directory.run`
    update connections set mailbox_due_at = ${leaseEnd(pause)}, mailbox_failures = ${failures}, mailbox_error = ${error}
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
