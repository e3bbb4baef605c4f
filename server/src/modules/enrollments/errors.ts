import { defineError } from '#kernel/errors.ts'

export const ExclusiveGroupTaken = defineError(
  'exclusive_group_taken',
  409,
  ({ group, enrollment }: { group: string; enrollment: string }) => ({
    message: `The contact is in another automation of the group ${group}: enrollment ${enrollment}.`,
  }),
)

export const EnrollmentStopped = defineError('automation_disabled', 409, () => ({
  message:
    'The automation of this enrollment is disabled, so the enrollment cannot continue. Enable the automation first.',
}))

export const EnrollmentRunPaused = defineError('campaign_paused', 409, () => ({
  message:
    'The campaign of this enrollment is paused, so the enrollment cannot continue. Resume the campaign first.',
}))

export const EnrollmentEnded = defineError('enrollment_ended', 409, (status: string) => ({
  message: `This enrollment is ${status} and cannot be changed.`,
}))
