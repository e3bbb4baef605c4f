import type { Command } from 'commander'
import { systemClock } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { mailSender } from '../app.ts'
import { readConfig } from '../config.ts'
import { type StoredMail, readMail, readMails, retryMail } from '../modules/mail/public.ts'
import { OperatorError } from '../operator-error.ts'
import { type Answer, type Columns, aligned, answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'

export function addMailCommands(program: Command): void {
  const mail = group(program, 'mail', 'mails that were not sent, and the way out')

  declare(mail, 'list', {
    summary: 'list the mails that are still here, newest first',
    description:
      'queued: to be sent; trapped: kept here, since SMTP_URL is not set; failed: not sent. A mail that was sent is gone, any other is after 7 days.',
    example: 'mail list',
  }).action(answering(list))

  declare(mail, 'show', {
    summary: 'show the whole of a mail, links that work included',
    example: 'mail show ID',
  })
    .argument('<id>', 'id of the mail')
    .action(answering(show))

  declare(mail, 'retry', {
    summary: 'send a mail once more, whatever became of it',
    description: 'It gets a new id, and 24 hours again. A running worker sends it.',
    example: 'mail retry ID',
  })
    .argument('<id>', 'id of the mail')
    .action(
      answering(async (id: string) => {
        await using command = await openForCommand()
        const retriedAs = await retryMail(command.house, id)
        return record({ id: retriedAs, state: 'queued', replaces: id }, { Queued: retriedAs, Replaces: id })
      }),
    )

  declare(mail, 'test', {
    summary: 'send a test mail right now, and tell what the mail server answers',
    description: 'Goes by SMTP_URL and MAIL_FROM, past the queue.',
    example: 'mail test --to you@example.com',
  })
    .requiredOption('--to <address>', 'who gets it')
    .action(answering(sendTest))
}

async function list(): Promise<Answer> {
  await using command = await openForCommand()
  const mails = await readMails(command.house)
  const { text } = listing(mails, columns, 'No mail is here.')
  return { value: mails.map(summary), text }
}

async function show(id: string): Promise<Answer> {
  await using command = await openForCommand()
  const stored = await readMail(command.house, id)
  if (stored === undefined) throw NotFound(`There is no mail ${id}.`)
  const { mail, answer } = stored
  const head = [
    ['To', mail?.to ?? unreadable],
    ['Subject', mail?.subject ?? unreadable],
    ['Written', stored.created_at],
    ['State', stored.state],
    ['Attempts', String(stored.attempts)],
    ['Answer', answer ?? '-'],
  ]
  return {
    value: { ...summary(stored), text: mail?.text ?? null, answer },
    text: `${aligned(head)}\n\n${mail?.text ?? unreadable}`,
  }
}

async function sendTest({ to }: { to: string }): Promise<Answer> {
  const send = mailSender(readConfig().smtp)
  if (send === undefined)
    throw new OperatorError('SMTP_URL is not set: mails stay in the trap instead of going out.')
  const now = systemClock.now()
  const { kind, answer } = await send({
    id: newId(now),
    writtenAt: now,
    to,
    subject: 'A test mail from Gable',
    text: 'Gable can send mails to this address.\n',
  })
  if (kind !== 'taken') throw new OperatorError(`The mail was not sent: ${answer}`)
  return record({ to, sent: true, answer }, { Sent: to, Answer: answer })
}

const unreadable = '(no application secret opens it)'

const summary = ({ id, state, mail, attempts, created_at }: StoredMail) => ({
  id,
  state,
  to: mail?.to ?? null,
  subject: mail?.subject ?? null,
  attempts,
  created_at,
})

const columns: Columns<StoredMail> = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  written: ({ created_at }) => created_at,
  attempts: ({ attempts }) => String(attempts),
  to: ({ mail }) => mail?.to ?? null,
  subject: ({ mail }) => mail?.subject ?? null,
}
