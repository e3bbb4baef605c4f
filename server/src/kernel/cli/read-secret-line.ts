import { createInterface } from 'node:readline'
import { OperatorError } from '../operator-error.ts'

/** The first line of standard input: everyone on the machine can see an argument. `what`: the noun of the error. */
export async function readSecretLine(what: 'password' | 'credentials'): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdin.destroy()
    if (line !== '') return line
    break
  }
  throw new OperatorError(`No ${what} on the first line of standard input.`)
}
