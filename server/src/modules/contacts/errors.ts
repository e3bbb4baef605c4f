import { defineError } from '#kernel/errors.ts'

export const ContactErased = defineError('contact_erased', 409, () => ({
  message: 'This contact has been erased.',
}))

/** `taken`: the places of the IDs in the body, and the contacts that have them. The caller finds those contacts by them. */
export const ExternalIdTaken = defineError(
  'external_id_taken',
  409,
  (taken: readonly { at: number; contact_id: string }[]) => ({
    message: 'Another contact has this external ID.',
    details: taken.map(({ at, contact_id }) => ({
      path: `external_ids.${at}.id`,
      message: `belongs to the contact ${contact_id}`,
    })),
  }),
)
