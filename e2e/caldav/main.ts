/**
 * npm run test:caldav: runs the tests of this folder against a real Radicale. Where there is none, the exit status is 77, as of a
 * test that is skipped in automake; on CI it is 1.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hasRadicale } from './radicale.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const skipped = 77

if (hasRadicale()) {
  const run = [vitest, 'run', 'e2e/caldav', ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1
} else {
  console.error(
    'SKIPPED: no test against Radicale was run: there is no program radicale. Debian: apt install radicale.',
  )
  process.exitCode = process.env['CI'] === undefined ? skipped : 1
}
