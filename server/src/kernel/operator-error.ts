/** An error that the operator can fix. Its message is one sentence, shown without a stack trace; the exit code is 1. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OperatorError'
  }
}
