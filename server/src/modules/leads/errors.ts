import { defineError } from '#kernel/errors.ts'

export const LeadErased = defineError('lead_erased', 409, () => ({
  message: 'This lead has been erased.',
}))

export const OnlyCreated = defineError('forbidden', 403, () => ({
  message:
    'This key sees only what it created. It does not see whose leads they are, nor how they were routed.',
}))

export const LeadClosed = defineError('lead_closed', 409, (status: string) => ({
  message: `This lead is ${status}. Set its status to contacted to open it again.`,
}))

export const LeadNotOffered = defineError('lead_not_offered', 409, (message: string) => ({ message }))
