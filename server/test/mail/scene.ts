import { createContext } from '../../src/kernel/context.ts'
import { type DispatchOptions, dispatchMail } from '../../src/modules/mail/dispatch-mail.ts'
import type { Handover, Letter, Mail, SendMail } from '../../src/modules/mail/ports.ts'
import { queueMail } from '../../src/modules/mail/public.ts'
import type { TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'

/** What is secret of it is nowhere else. */
export const aMail = (parts: Partial<Mail> = {}): Mail => ({
  to: 'ada@lantern.example',
  subject: 'Set your password',
  text: 'Hello Ada\n\nhttp://127.0.0.1:8080/welcome?token=gbl_welcome_7f3QzYxW\n',
  ...parts,
})

/** Queues a mail in a transaction of its own, of no workspace; answers its id. */
export const queue = ({ house }: TestApp, parts: Partial<Mail> = {}): Promise<string> =>
  house.database.transaction('', async (tx) => queueMail(tx, house, aMail(parts)))

export interface StoredRow {
  id: string
  state: string
  content: Buffer
  answer: Buffer | null
  attempts: number
}

export const rowOf = async ({ databaseUrl }: TestApp, id: string): Promise<StoredRow | undefined> =>
  (await asOwner<StoredRow>(databaseUrl, 'select * from mails where id = $1', [id]))[0]

/** One attempt of the job, as a worker makes it. */
export const attempt = ({ house }: TestApp, id: string, options: Partial<DispatchOptions>): Promise<void> =>
  dispatchMail(
    createContext(house, {
      workspaceId: '',
      actor: { type: 'system', id: null, name: 'send-mail' },
      scopes: new Set(),
    }),
    id,
    { sendMail: undefined, origin: () => 'http://127.0.0.1:8080', trapPage: () => undefined, ...options },
  )

/** A mail server that answers so, and keeps what it was asked to take. */
export function answering(handover: Handover): { sendMail: SendMail; asked: Letter[] } {
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
