/** Something that the operator can put right, said in one sentence; shown without a stack, exit code 1. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OperatorError'
  }
}
