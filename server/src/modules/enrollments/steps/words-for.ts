import type { Db } from '#kernel/db/handles.ts'
import type { Words } from '../../automations/public.ts'
import { type Contact, nameInText } from '../../contacts/public.ts'
import { findMember } from '../../workspaces/public.ts'

/** The placeholder values for texts to a contact. Without a contact: those for someone about whom nothing is known. */
export async function wordsFor(
  db: Db,
  contact: Pick<Contact, 'first_name' | 'last_name' | 'owner_id'> | undefined,
  workspaceName: string,
): Promise<Words> {
  const { first_name = null, last_name = null, owner_id = null } = contact ?? {}
  const owner = owner_id === null ? undefined : await findMember(db, owner_id)
  return {
    'contact.first_name': nameInText(first_name),
    'contact.last_name': nameInText(last_name),
    'owner.name': owner?.active === true ? owner.name : null,
    'workspace.name': workspaceName,
  }
}
