import type { Directory } from '#kernel/db/handles.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { findInstallation, insertInstallation, saveSecretCheck } from './queries.ts'

const purpose = 'installation'

/** A value that only the newest application secret gives, and that reveals nothing about it. */
export const secretCheck = (keys: KeyRing): Buffer => keys.sign(purpose, 'check')

/** Whether one of the application secrets gave the value. */
export const isOwnSecret = (keys: KeyRing, check: Buffer): boolean => keys.verifies(purpose, 'check', check)

/**
 * Throws `OperatorError` if the application secret is not the one that has sealed what is in the database. With another
 * secret, a server could open nothing, and would seal new data so that the right one could not open it.
 */
export async function requireSecret(directory: Directory, keys: KeyRing): Promise<void> {
  const check = secretCheck(keys)
  await directory.transaction(async (tx) => insertInstallation(tx, check))
  const known = (await findInstallation(directory))?.secret_check
  if (known === undefined || known.equals(check)) return
  if (!isOwnSecret(keys, known)) throw wrongSecret('The database was used with another APP_SECRET')
  // The secret is being replaced. The old one is still in the ring.
  await directory.transaction(async (tx) => saveSecretCheck(tx, check))
}

export const wrongSecret = (found: string) =>
  new OperatorError(
    `${found}. What it sealed, such as credentials and the list of opt-outs, cannot be read with this one. Set APP_SECRET to the secret of that server; with the embedded PostgreSQL, it is in the file app-secret of its DATA_DIR.`,
  )
