/**
 * npm run test:mail-servers: runs the tests of this folder against a real Postfix and a real Dovecot. Where these cannot run, the exit
 * status is 77, as of a test that is skipped in automake; on CI it is 1.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findPrograms } from './programs.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const skipped = 77

const programs = findPrograms()
if (typeof programs === 'string') {
  console.error(`SKIPPED: no test against mail servers was run: ${programs}.`)
  process.exitCode = process.env['CI'] === undefined ? skipped : 1
} else {
  const run = [vitest, 'run', 'e2e/mail-servers', '--no-file-parallelism', ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1
}
