import { leaseFrom } from '#kernel/background/lease.ts'
import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { findRestoredAt } from '../../installation/public.ts'
import {
  claimMailbox,
  findSweptAt,
  longestMailboxPauseMs,
  releaseMailbox,
  saveMailboxPosition,
  saveSweptAt,
} from '../../senders/public.ts'
import type { Carrier, ProviderAccount, ReceivedMail } from '../ports.ts'
import { receiveIn } from './receive-message.ts'
import { asReceived } from './received-late.ts'
import { recordMailReport } from './record-mail-report.ts'

/** How often a mailbox is read. */
const readEveryMs = 30_000

/** A worker that could not claim a mailbox considers all of it recorded if the last complete reading began within this time. */
const readMs = 2 * readEveryMs

/**
 * If the saved position is no longer valid, such as after the mailbox was moved, reading starts one day before the last
 * time it was finished, because the mail server's clock may be behind. Mails that are already recorded are not recorded
 * again.
 */
const overlapMs = 24 * 3_600_000

/** The pause after failures to read a mailbox: repeating a wrong password locks accounts. */
const pauseMs = (failures: number) => Math.min(readEveryMs * 2 ** failures, longestMailboxPauseMs)

/**
 * After this many failures in a row, which take over an hour, a mail that cannot be recorded is left out. It must not
 * hold up all others.
 */
const maxFailures = 10

export interface SweepOptions {
  /** Whether the process ends: then the rest is left to the next sweep. */
  isEnding?: () => boolean
  /** Whether to read a mailbox that pauses, too: a person asks. */
  despitePause?: boolean
}

/**
 * Reads what a mailbox has received since it was last read. Records each mail in one transaction with the position
 * after it, so that a crash loses nothing. Only one worker at a time reads a mailbox. Returns whether everything
 * received until about now is recorded. Throws if the mailbox cannot be read or a mail cannot be recorded, and saves
 * the reason with the connection.
 */
export async function readMailbox(
  ctx: Ctx,
  read: NonNullable<Carrier['readMailbox']>,
  account: ProviderAccount,
  { isEnding = () => false, despitePause }: SweepOptions = {},
): Promise<boolean> {
  const { clock, directory } = ctx
  const at = clock.now()
  const startedAt = clock.elapsed()
  const sweptAt = await findSweptAt(directory, account)
  const restoredAt = await findRestoredAt(directory)
  const claim = await claimMailbox(directory, account, clock, { despitePause })
  if (claim === undefined) return sweptAt >= later(at, -readMs)
  const { mailbox_position: position, mailbox_failures: failures } = claim
  const since = position === null ? sweptAt : later(sweptAt, -overlapMs)
  let isRecording = false
  let patience = maxFailures - failures
  try {
    for await (const entry of read(account, { position, since })) {
      const recordNext = (mail: ReceivedMail | null) =>
        ctx.transaction(async (tx) => {
          if (mail !== null) await record(asReceived(tx, timeOf(mail), restoredAt), account, mail)
          const missingAt = missingIn(mail, clock.now())
          saveMailboxPosition(tx, account.id, {
            position: entry.position,
            lease: leaseFrom(tx.clock),
            missingAt,
          })
        })
      isRecording = true
      try {
        await recordNext(entry.mail)
      } catch (error) {
        if (patience > 0) throw error
        patience = maxFailures
        const { position: place } = entry
        ctx.log.error({ err: error, connectionId: account.id, position: place }, 'a mail was left out')
        await recordNext(null)
      }
      isRecording = false
      if (isEnding()) return false
    }
  } catch (error) {
    await releaseMailbox(directory, account, {
      pause: leaseFrom(clock, pauseMs(failures + 1)),
      failures: Math.min(failures + 1, 100),
      error: isRecording ? 'A mail could not be recorded. The log says why.' : messageOf(error),
    })
    throw error
  }
  await saveSweptAt(directory, account, at)
  const pause = leaseFrom(clock, Math.max(0, readEveryMs - (clock.elapsed() - startedAt)))
  await releaseMailbox(directory, account, { pause, failures: 0, error: null })
  return true
}

/** When results of the mail server were missing, if this is an email. */
function missingIn(mail: ReceivedMail | null, at: Date): Date | null | undefined {
  const email = mail !== null && 'message' in mail ? mail.message.email : undefined
  return email && (email.authentication === 'none' ? at : null)
}

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : 'The mailbox cannot be read.').slice(0, 500)

const timeOf = (mail: ReceivedMail): Date | null =>
  'message' in mail ? mail.message.receivedAt : mail.report.at

const record = (tx: Tx, account: ProviderAccount, mail: ReceivedMail): Promise<void> =>
  'message' in mail ? receiveIn(tx, account, mail.message) : recordMailReport(tx, account, mail.report)
