// Stands in for npm in the tests of bin/setup.js: installs empty packages by the lockfile, as FAKE_NPM says.
//   fail   ends with an error half way       hang   never ends
//   bare   as if install scripts were blocked: the package `node` brings no binary
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const way = process.env['FAKE_NPM'] ?? ''
const args = process.argv.slice(2)
appendFileSync(process.env['FAKE_NPM_LOG'] ?? '', `${args.slice(0, 2).join(' ')}\n`)

const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const installed = Object.entries(lockfile.packages).filter(
  ([name, { dev }]) => name !== '' && !(dev && args.includes('--omit=dev')),
)
for (const [name, { link, resolved, version }] of installed) {
  if (way === 'fail') {
    console.error('fake npm: the registry is not reachable')
    process.exit(1)
  }
  mkdirSync(dirname(name), { recursive: true })
  if (link) symlinkSync(join('../..', resolved), name)
  else {
    mkdirSync(name, { recursive: true })
    writeFileSync(join(name, 'package.json'), JSON.stringify({ version }))
  }
  if (way === 'hang' && name.startsWith('node_modules/')) await setTimeout(2 ** 30)
}
if (lockfile.packages['node_modules/node'] !== undefined) {
  mkdirSync('node_modules/.bin')
  symlinkSync('../node/bin/node', 'node_modules/.bin/node')
  mkdirSync('node_modules/node/bin')
  if (way !== 'bare') symlinkSync(process.execPath, 'node_modules/node/bin/node')
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }))
