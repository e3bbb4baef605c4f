export {
  type AppointmentRow,
  appointmentOutcomes,
  appointmentStatuses,
  appointmentTypes,
} from './appointment.ts'
export { findAppointment, findNextAppointment } from './appointment-queries.ts'
export { reminderText } from './appointments/reminder-text.ts'
export { bookAppointment } from './appointments/book-appointment.ts'
export { updateAppointment } from './appointments/update-appointment.ts'
export { taskStep } from './tasks/task-step.ts'
export { createTask } from './tasks/create-task.ts'
export { listTasksWithin } from './tasks/queries.ts'
export { completeTask } from './tasks/update-task.ts'
export type { CalendarServer } from './ports.ts'
export {
  chooseCalendar,
  confirmHost,
  connectCalendar,
  disconnectCalendar,
  testCalendar,
} from './push/connect-calendar.ts'
export { type CalendarConnection, listCalendarConnections } from './push/connection-queries.ts'
