import { createInterface } from 'node:readline'
import { OperatorError } from '../operator-error.ts'

/**
 * Reads a secret from the first line of standard input, because everyone on the machine can see arguments. Throws
 * `OperatorError` if the line is empty; `what` is the noun in its message.
 */
export async function readSecretLine(what: string): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdin.destroy()
    if (line !== '') return line
    break
  }
  throw new OperatorError(`No ${what} on the first line of standard input.`)
}
