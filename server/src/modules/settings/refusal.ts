import { AppError } from '#kernel/errors.ts'
import { type Part, alert } from '../pages/public.ts'
import { type Faults, faultsOf } from '../signin/public.ts'

/** What a form shows again with what was entered. */
export interface Refusal {
  status: number
  /** At their fields. */
  faults: Faults
  /** Above the form. */
  message?: Part
}

/** Before anything was refused. */
export const nothingWrong: Refusal = { status: 200, faults: {} }

/** What a form says to an error: faults at their fields, a conflict as a sentence. Anything else is thrown on. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof AppError && error.status === 409
    ? { status: 409, faults: {}, message: alert(error.body.message) }
    : { status: 400, faults: faultsOf(error) }
