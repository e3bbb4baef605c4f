import { spawn } from 'node:child_process'
import type { Account } from './account.ts'

/** A fixed environment: the operator's locale, time zone and PG* variables would change what PostgreSQL does. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Outcome {
  succeeded: boolean
  /** Standard error, or what kept the program from starting. */
  complaint: string
}

/** Runs a program of the system to its end, as another account where one is given. */
export function run(command: string, args: string[], account: Account | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      env: cleanEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (complaint = (complaint + text).slice(-4000)))
    child.on('error', (error) => resolve({ succeeded: false, complaint: error.message }))
    child.on('close', (status) => resolve({ succeeded: status === 0, complaint: complaint.trim() }))
  })
}
