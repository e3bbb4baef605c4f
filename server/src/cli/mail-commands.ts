import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, listOutput, printing, recordOutput } from '#kernel/cli/output.ts'
import { systemClock } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { readConfig } from '../config.ts'
import { type StoredMail, readMail, readMails, retryMail } from '../modules/mail/public.ts'

export function addMailCommands(program: Command, cli: Cli): void {
  const mail = group(program, 'mail', 'outgoing emails')

  declare(mail, 'list', {
    summary: 'list unsent emails, newest first',
    description:
      'queued: waiting to be sent; caught: kept because SMTP_URL is not set; failed: not sent. Gable deletes sent emails at once, and others after 7 days.',
    example: 'mail list',
  }).action(cli.run(list))

  declare(mail, 'show', {
    summary: 'show an email with its text, including working links',
    example: 'mail show ID',
  })
    .argument('<id>', 'id of the email')
    .action(cli.run(show))

  declare(mail, 'retry', {
    summary: 'send an email again, whatever its state',
    description: 'The email gets a new id and another 24 hours of attempts. A running worker sends it.',
    example: 'mail retry ID',
  })
    .argument('<id>', 'id of the email')
    .action(
      cli.run(async (command, id: string) => {
        const retriedAs = await retryMail(command.runtime, id)
        return recordOutput({ id: retriedAs, state: 'queued', replaces: id })
      }),
    )

  declare(mail, 'test', {
    summary: 'send a test email now, and print the mail server’s reply',
    description: 'Uses SMTP_URL and MAIL_FROM, and bypasses the queue.',
    example: 'mail test --to you@example.com',
  })
    .requiredOption('--to <address>', 'the recipient')
    .action(printing(sendTest))
}

async function list(command: CommandRuntime): Promise<CommandOutput> {
  return listOutput((await readMails(command.runtime)).map(summary), 'There are no emails.')
}

async function show(command: CommandRuntime, id: string): Promise<CommandOutput> {
  const stored = await readMail(command.runtime, id)
  if (stored === undefined) throw NotFound(`There is no mail ${id}.`)
  const { mail, answer } = stored
  const shown = { ...summary(stored), answer }
  return {
    value: { ...shown, text: mail?.text ?? null },
    text: `${recordOutput(shown).text}\n\n${mail?.text ?? '(no application secret opens it)'}`,
  }
}

async function sendTest({ to }: { to: string }): Promise<CommandOutput> {
  const { mailSender } = await import('../app.ts')
  const send = mailSender(readConfig().smtp)
  if (send === undefined)
    throw new OperatorError('SMTP_URL is not set: mails are caught instead of being sent.')
  const now = systemClock.now()
  const { kind, answer } = await send({
    id: newId(now),
    writtenAt: now,
    to,
    subject: 'A test mail from Gable',
    text: 'Gable can send mails to this address.\n',
  })
  if (kind !== 'taken') throw new OperatorError(`The mail was not sent: ${answer}`)
  return recordOutput({ to, sent: true, answer })
}

const summary = ({ id, state, mail, attempts, created_at }: StoredMail) => ({
  id,
  state,
  to: mail?.to ?? null,
  subject: mail?.subject ?? null,
  attempts,
  created_at,
})
