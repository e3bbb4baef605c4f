export { changeEnrollment } from './change-enrollment.ts'
export { enrollContact } from './enroll.ts'
export { createAutomation, enableAutomation, publishAutomation } from './save-automation.ts'
