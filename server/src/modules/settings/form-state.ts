import { AppError } from '#kernel/errors.ts'
import { type FieldErrors, type Part, alert, fieldErrorsOf } from '../pages/public.ts'

/** What a form shows in addition to the entered values. */
export interface FormState {
  status: number
  /** Error messages by field name. */
  errors: FieldErrors
  /** A message above the form. */
  message?: Part
}

/** The state of a form that was not submitted yet. */
export const untouched: FormState = { status: 200, errors: {} }

/** The state after an error: validation errors at their fields, a conflict above the form. Rethrows any other error. */
export const rejected = (error: unknown): FormState =>
  error instanceof AppError && error.status === 409
    ? { status: 409, errors: {}, message: alert(error.body.message) }
    : { status: 400, errors: fieldErrorsOf(error) }
