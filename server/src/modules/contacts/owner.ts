import { violates } from '#kernel/db/faults.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'

/** Turns a write's violation of the owner's foreign key into 404 for `owner_id`: the check that nothing can race. */
export async function ownerChecked<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'contacts_owner')) throw ReferenceNotFound('owner_id')
    throw error
  }
}
