import { createInterface } from 'node:readline'
import { OperatorError } from '../operator-error.ts'

/** The first line of standard input: everyone on the machine can see an argument. */
export async function readPassword(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdin.destroy()
    if (line !== '') return line
    break
  }
  throw new OperatorError('The password is missing: it is read from the first line of standard input.')
}
