import { defineError } from '#kernel/errors.ts'

export const AutomationCancelling = defineError('automation_cancelling', 409, () => ({
  message: 'Gable is cancelling the enrollments of this automation. Enable the automation once that is done.',
}))

export const BackfillEnded = defineError('backfill_ended', 409, (status: string) => ({
  message: `This backfill is ${status} and cannot be changed.`,
}))
