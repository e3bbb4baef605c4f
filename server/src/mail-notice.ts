import type { CaughtMail } from './modules/mail/public.ts'

/** What a person at the terminal reads of a mail that stays here, with the links that it was written for. */
export function mailNotice({ id, to, subject, links, page }: CaughtMail): string {
  const whole = page ?? `npm run -s gable -- mail show ${id}`
  const lines = [`Mail to ${to}: ${subject}`, ...links.map((link) => `  ${link}`), `  whole: ${whole}`]
  return `\n${lines.map(printable).join('\n')}\n`
}

/** The text of an email must not move the cursor or color the screen. */
const printable = (line: string) => line.replaceAll(/\p{C}/gu, '')
