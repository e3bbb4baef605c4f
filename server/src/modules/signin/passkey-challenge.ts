import type { House } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { listPasskeys } from './passkey-queries.ts'

/** What a browser is asked, as JSON, and the cookie that it brings back with its answer. */
export interface Challenge {
  options: object
  cookie: string
}

export const PasskeyRefused = defineError('passkey_refused', 401, (message: string) => ({ message }))

export const refusals = {
  late: 'That took longer than five minutes, or this page was used before. Try again.',
  unknown: 'This passkey is not known here, or was removed.',
  others: 'This passkey is somebody else’s.',
  twice: 'This passkey is known already.',
  noParty: 'Passkeys do not work at this address of the server.',
  notGood: 'The answer of the passkey was not good. Try again.',
}

/** Whatever reading or judging an answer throws is the answer's fault. */
export async function judged<T>(judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch {
    throw PasskeyRefused(refusals.notGood)
  }
}

/** A person's passkeys in the words of WebAuthn. */
export const credentialsOf = async ({ database }: House, personId: string) =>
  (await listPasskeys(database.directory, personId)).map(({ id, transports }) => ({ id, transports }))
