// Brings a fresh clone to a runnable state, and exits at once if it already is runnable. Runs before anything is
// installed, on any Node that npm may use: no dependencies, and no syntax or API newer than Node 14. Prints only to
// standard error, because `npm start` promises one JSON line on standard output.
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, putBack } from './setup/install.js'
import { has, hasStamp, writeStamp } from './setup/installed.js'
import { withLock } from './setup/lock.js'
import { ensureRuntime, major } from './setup/runtime.js'
import { SetupError, say } from './setup/say.js'

const help = `Usage: node bin/setup.js [start | all | bench | sdk] [--help]

Installs what package-lock.json says, unless that is done, and makes sure that the Node.js and the PostgreSQL
that came with it can run. npm start, npm test and the other scripts run it first.

  start  what the program needs
  all    that and what the tests and checks need (the default)
  bench  all that and what only the benchmarks need
  sdk    all that and what generates the client in sdk/

An install is made beside node_modules and takes its place when it is complete, so that it disturbs nothing that
runs, and changes nothing if it fails.

Exit status: 0 ready to run, 1 not (the reason is on standard error).`

const oldestNode = 20

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const bench = path.join(root, 'bench')
const sdk = path.join(root, 'tools/sdk')

/** What each word installs, and where; `ensure` makes what npm has installed there run. */
const program = { home: root, ensure: ensureRuntime }
const wanted = {
  start: [{ ...program, parts: 'start' }],
  all: [{ ...program, parts: 'all' }],
  bench: [
    { ...program, parts: 'all' },
    { home: bench, ensure: () => {}, parts: 'all' },
  ],
  sdk: [
    { ...program, parts: 'all' },
    { home: sdk, ensure: () => {}, parts: 'all' },
  ],
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof SetupError) && !error.code) throw error
  say(error.message)
  process.exitCode = 1
})

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return console.log(help)
  const [word = 'all', ...rest] = args
  if (rest.length > 0 || !Object.keys(wanted).includes(word)) {
    throw new SetupError(`Unknown argument ${args.join(' ')}. See node bin/setup.js --help.`)
  }
  if (major(process.versions.node) < oldestNode) {
    throw new SetupError(
      `Gable needs Node.js ${oldestNode} or newer to install itself; this is ${process.version}.`,
    )
  }
  for (const each of wanted[word]) await prepare(each)
}

async function prepare({ home, parts, ensure }) {
  if (hasStamp(home, parts)) return
  await withLock(path.join(root, '.gable-setup.lock'), async () => {
    putBack(home)
    if (hasStamp(home, parts)) return
    if (!has(home, parts)) return install(home, parts, ensure)
    await ensure(path.join(home, 'node_modules'))
    writeStamp(home, parts)
  })
}
