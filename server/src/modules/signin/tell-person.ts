import type { House } from '#kernel/context.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { queueMail } from '../mail/public.ts'
import type { PersonRow } from './people-queries.ts'

/** A mail about something that touches how somebody signs in, so that they can tell when it was not them. */
export function tellPerson(
  tx: Writer,
  house: House,
  { email }: Pick<PersonRow, 'email'>,
  whatHappened: string,
): void {
  const at = house.clock.now().toISOString()
  queueMail(tx, house, {
    to: email,
    subject: 'About how you sign in',
    text: [
      `${whatHappened} That was on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, for ${email} on Gable.`,
      'If it was not you, set a new password by "Set a new password" on the page where you sign in: that ends all sessions. Then look through your account.',
    ].join('\n\n'),
  })
}
