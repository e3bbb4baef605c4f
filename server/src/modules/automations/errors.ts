import { defineError } from '#kernel/errors.ts'

export const AutomationDisabled = defineError('automation_disabled', 409, () => ({
  message: 'This automation is disabled, so it cannot enroll contacts. Enable it first.',
}))

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
