import type { Module } from '#kernel/module.ts'
import { AppointmentBooked, AppointmentOutcome, AppointmentRescheduled } from './events.ts'

export const calendar: Module = {
  events: [AppointmentBooked, AppointmentRescheduled, AppointmentOutcome],
}
