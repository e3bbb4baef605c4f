import type { Ctx } from '#kernel/context.ts'
import { splitLinks } from './links.ts'
import type { Handover, Mail, SendMail } from './ports.ts'
import { type MailRow, findMail, forgetMail, giveUpMail, noteAttempt } from './queries.ts'
import { openMail, sealAnswer } from './sealed-mail.ts'

/** A mail that stays here, because there is no mail server to take it. */
export interface TrappedMail extends Mail {
  id: string
  /** Where the trap's page shows it; undefined where there is no such page. */
  page: string | undefined
  /** Those that lead to this server. */
  links: string[]
}

export interface DispatchOptions {
  /** Undefined: mails go into the trap. */
  sendMail: SendMail | undefined
  /** The address that others reach this server under; empty where that is not known. */
  origin: () => string
  /** The trap's page; undefined where there is none. */
  trapPage: () => string | undefined
  /** Told of every mail that goes into the trap. What it holds may be shown to a person, and goes into no log. */
  onTrapped?: ((mail: TrappedMail) => void) | undefined
}

/** Longer than that nobody waits for a link. */
const giveUpMs = 24 * 3_600_000

/**
 * One attempt to send a mail. Throws when there is to be another one. Done twice, it does nothing the second time; where
 * a mail server has taken the mail and its answer was lost, the mail goes out again, and SMTP knows no help for that.
 */
export async function dispatchMail(ctx: Ctx, id: string, options: DispatchOptions): Promise<void> {
  const row = await findMail(ctx.directory, id)
  if (row === undefined || row.state !== 'queued') return
  if (options.sendMail === undefined) return trap(ctx, row, options)
  const writtenAt = new Date(row.created_at)
  if (ctx.clock.now().getTime() - writtenAt.getTime() >= giveUpMs) {
    await giveUpMail(ctx.directory, id)
    return ctx.log.warn({ mailId: id }, 'a mail was given up')
  }
  const mail = openMail(ctx.keys, id, row.content)
  await settle(ctx, id, await options.sendMail({ ...mail, id, writtenAt }))
}

async function settle({ directory, keys, log }: Ctx, id: string, { kind, answer, code }: Handover) {
  if (kind === 'taken') return forgetMail(directory, id)
  const sealed = sealAnswer(keys, id, answer)
  await noteAttempt(directory, id, kind === 'refused' ? 'failed' : 'queued', sealed)
  // The queue keeps the message of this error, and it is logged.
  if (kind === 'later') throw new Error(`The mail ${id} was not taken (${code}).`)
  return log.warn({ mailId: id, code }, 'a mail was refused')
}

async function trap(ctx: Ctx, { id, content }: MailRow, { origin, trapPage, onTrapped }: DispatchOptions) {
  const mail = openMail(ctx.keys, id, content)
  if ((await noteAttempt(ctx.directory, id, 'trapped', null)) === 0) return
  const at = trapPage()
  const page = at === undefined ? undefined : `${at}/${id}`
  // Not where it is shown: whoever knows the trap's address reads all that is in it.
  ctx.log.info({ mailId: id }, 'a mail is in the trap')
  const links = splitLinks(mail.text, origin()).flatMap(({ href }) => href ?? [])
  onTrapped?.({ ...mail, id, page, links })
}
