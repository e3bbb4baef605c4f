import { randomUUID } from 'node:crypto'
import type { Calls } from '../calls.ts'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog } from '../message-log.ts'
import { addressBehaviorOf } from './failing-addresses.ts'
import type { Mailboxes } from './mailboxes.ts'
import { type TakenMail, awayMail, bounceMail, complaintMail, responseMail } from './write-mail.ts'

interface Surroundings {
  log: MessageLog
  lines: PhoneLines
  mailboxes: Mailboxes
  calls: Calls
  now: () => Date
  deliveryMs: number
}

/**
 * Handles the aftermath of an email. Handsets can write to its sender address, which belongs to the account that last
 * used it. Addresses that fail later send their report to the account's mailbox.
 */
export function followUp({ log, lines, mailboxes, calls, now, deliveryMs }: Surroundings, taken: TakenMail) {
  const { account, from: line, to } = taken
  lines.set(line, {
    receive({ from, body }) {
      const last = log
        .newestFirst()
        .find((one) => one.direction === 'outbound' && one.from === line && one.to === from)
      const { isForged = false } = addressBehaviorOf(from)
      const continued =
        last !== undefined && !isForged
          ? {
              subject: last.subject ?? '',
              messageId: last.messageId ?? null,
              replyTo: last.replyTo ?? null,
            }
          : undefined
      mailboxes.deliver(account, responseMail(from, line, body, continued, isForged))
      const at = now()
      log.add({
        id: randomUUID(),
        account,
        direction: 'inbound',
        from,
        to: line,
        subject: continued === undefined ? 'An email' : `Re: ${continued.subject}`,
        body,
        status: 'received',
        errorCode: null,
        createdAt: at,
        sentAt: at,
      })
    },
  })
  const report = reportOf(taken, addressBehaviorOf(to).afterwards)
  if (report === undefined) return
  calls.run(async () => {
    await calls.pause(deliveryMs)
    mailboxes.deliver(account, report)
  })
}

type Afterwards = NonNullable<ReturnType<typeof addressBehaviorOf>['afterwards']>

function reportOf(taken: TakenMail, afterwards: Afterwards | undefined): string | undefined {
  if (afterwards === undefined) return undefined
  if (afterwards === 'away') return awayMail(taken)
  if (afterwards === 'complaint') return complaintMail(taken)
  return bounceMail(taken, afterwards.code, afterwards.text)
}
