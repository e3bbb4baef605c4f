import type { CaughtMail } from './modules/mail/public.ts'

/** The notice of a caught mail for the operator's terminal, with the links in the mail. */
export function mailNotice({ id, to, subject, links, page }: CaughtMail): string {
  const whole = page ?? `npm run -s gable -- mail show ${id}`
  const lines = [`Mail to ${to}: ${subject}`, ...links.map((link) => `  ${link}`), `  whole: ${whole}`]
  return `\n${lines.map(printable).join('\n')}\n`
}

/** Removes control characters, because the text of an email must not move the cursor or color the screen. */
const printable = (line: string) => line.replaceAll(/\p{C}/gu, '')
