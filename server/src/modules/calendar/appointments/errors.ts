import { defineError } from '#kernel/errors.ts'

export const AppointmentClosed = defineError('appointment_closed', 409, () => ({
  message: 'This appointment has an outcome, so it cannot be moved. Book another one.',
}))

export const HostBusy = defineError('host_busy', 409, () => ({
  message: 'The host has another appointment at that time.',
}))
