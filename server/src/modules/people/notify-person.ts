import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { queueMail } from '../mail/public.ts'
import type { PersonRow } from './queries.ts'

/** Emails a person that the way they sign in has changed, so that they notice a change they did not make. */
export function notifyPerson(
  tx: DirectoryTx,
  runtime: Runtime,
  { email }: Pick<PersonRow, 'email'>,
  whatHappened: string,
): void {
  const at = runtime.clock.now().toISOString()
  queueMail(tx, runtime, {
    to: email,
    subject: 'Your sign-in was changed',
    text: [
      `${whatHappened} This happened on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, for ${email} on Gable.`,
      'If this was not you, reset your password on the sign-in page. That ends all of your sessions. Then review your account.',
    ].join('\n\n'),
  })
}
