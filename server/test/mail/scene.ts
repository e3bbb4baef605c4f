import { type DispatchOptions, dispatchMail } from '../../src/modules/mail/dispatch-mail.ts'
import type { Handover, Letter, Mail, SendMail } from '../../src/modules/mail/ports.ts'
import { queueMail } from '../../src/modules/mail/public.ts'
import type { TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'

/** A mail whose secret parts appear nowhere else, so that tests can search for them. */
export const aMail = (parts: Partial<Mail> = {}): Mail => ({
  to: 'ada@lantern.example',
  subject: 'Set your password',
  text: 'Hello Ada\n\nhttp://127.0.0.1:8080/welcome?token=gbl_welcome_7f3QzYxW\n',
  ...parts,
})

/** Queues a mail in its own transaction, without a workspace. Returns its id. */
export const queue = ({ runtime }: TestApp, parts: Partial<Mail> = {}): Promise<string> =>
  runtime.database.directory.transaction(async (tx) => queueMail(tx, runtime, aMail(parts)))

export interface StoredRow {
  id: string
  state: string
  content: Buffer
  answer: Buffer | null
  attempts: number
}

export const rowOf = async ({ databaseUrl }: TestApp, id: string): Promise<StoredRow | undefined> =>
  (await asOwner<StoredRow>(databaseUrl, 'select * from mails where id = $1', [id]))[0]

/** Runs one attempt of the job, as a worker does. */
export const attempt = ({ runtime }: TestApp, id: string, options: Partial<DispatchOptions>): Promise<void> =>
  dispatchMail(runtime, id, {
    sendMail: undefined,
    catcherUrl: () => undefined,
    ...options,
  })

/** A mail server that always returns this outcome and records the mails that it got. */
export function respondingWith(handover: Handover): { sendMail: SendMail; asked: Letter[] } {
  const asked: Letter[] = []
  return {
    asked,
    sendMail: async (letter) => {
      asked.push(letter)
      return handover
    },
  }
}

export const taken: Handover = { kind: 'taken', answer: '250 OK', code: '250' }
