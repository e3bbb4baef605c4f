import { defineError } from '#kernel/errors.ts'

export const AutomationDisabled = defineError('automation_disabled', 409, () => ({
  message: 'This automation is disabled, so it cannot enroll contacts. Enable it first.',
}))

export const ExclusiveGroupTaken = defineError(
  'exclusive_group_taken',
  409,
  ({ group, enrollment }: { group: string; enrollment: string }) => ({
    message: `The contact is in another automation of the group ${group}: enrollment ${enrollment}.`,
  }),
)

export const AutomationIsArchived = defineError('automation_archived', 409, () => ({
  message:
    'This automation is archived, so it cannot enroll contacts. Restore it with `archived: false` first.',
}))

export const AutomationIsEnabled = defineError('automation_enabled', 409, () => ({
  message: 'This automation is enabled, so it cannot be archived. Disable it first.',
}))

export const AutomationUnpublished = defineError('automation_unpublished', 409, () => ({
  message: 'This automation has no published version. Publish it first.',
}))

export const EnrollmentStopped = defineError('automation_disabled', 409, () => ({
  message:
    'The automation of this enrollment is disabled, so the enrollment cannot continue. Enable the automation first.',
}))

export const EnrollmentRunPaused = defineError('campaign_paused', 409, () => ({
  message:
    'The campaign of this enrollment is paused, so the enrollment cannot continue. Resume the campaign first.',
}))

export const AutomationCancelling = defineError('automation_cancelling', 409, () => ({
  message: 'Gable is cancelling the enrollments of this automation. Enable the automation once that is done.',
}))

export const EnrollmentEnded = defineError('enrollment_ended', 409, (status: string) => ({
  message: `This enrollment is ${status} and cannot be changed.`,
}))

export const BackfillEnded = defineError('backfill_ended', 409, (status: string) => ({
  message: `This backfill is ${status} and cannot be changed.`,
}))
