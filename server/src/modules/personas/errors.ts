import { defineError } from '#kernel/errors.ts'

export const PersonaInUse = defineError('persona_in_use', 409, () => ({
  message: 'The persona is on. Set `enabled` to false or `mode` to `off` first.',
}))
