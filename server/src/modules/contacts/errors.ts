import { defineError } from '#kernel/errors.ts'

export const ContactErased = defineError('contact_erased', 409, () => ({
  message: 'This contact has been erased.',
}))
