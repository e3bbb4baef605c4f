import * as fs from 'node:fs'

/** A reason why the setup ends, for the person who started it. */
export class SetupError extends Error {}

export function say(line) {
  fs.writeSync(2, `gable: ${line}\n`)
}
