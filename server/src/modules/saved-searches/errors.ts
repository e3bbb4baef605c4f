import { defineError } from '#kernel/errors.ts'

export const SavedSearchLimit = defineError('saved_search_limit', 409, (limit: number) => ({
  message: `This contact has ${limit} saved searches, which is the limit. Delete one first.`,
}))

/** The digest already exists, or the search has changed in the meantime. Never part of a response. */
export const DigestNotDue = defineError('digest_not_due', 409, () => ({ message: 'This digest is not due.' }))
