/** npm run test:browser: runs the tests of this folder where there is a Chromium. On CI it is a fault that there is none. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findChromium, howToGetChromium } from './find-chromium.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

if (findChromium() === undefined) {
  console.error(`No test in a browser was run: ${howToGetChromium}`)
  process.exitCode = process.env['CI'] === undefined ? 0 : 1
} else {
  const run = [vitest, 'run', 'e2e/browser', ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit' }).status ?? 1
}
