import * as fs from 'node:fs'
import * as path from 'node:path'
import { packagesOf, writeStamp } from './installed.js'
import { run } from './run.js'
import { SetupError, say } from './say.js'

const hintMs = 5000
const leftover = /^\.gable-setup-\d+$/

/**
 * Installs the parts in a folder beside node_modules and puts the result in its place. What runs meanwhile keeps its
 * files, and if this fails or is killed, nothing has changed.
 */
export async function install(home, parts, ensure) {
  const beside = path.join(home, `.gable-setup-${process.pid}`)
  const modules = path.join(beside, 'node_modules')
  try {
    copyManifests(home, beside)
    await npmCi(home, beside, parts)
    await ensure(modules)
    // Must come last, because the stamp vouches for all of the above.
    writeStamp(home, parts, modules)
    swap(home, beside)
  } finally {
    remove(beside)
  }
}

/** What npm reads: the package.json of the folder and of its workspaces, the lockfile, and its settings. */
function copyManifests(home, to) {
  const { workspaces = [] } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'))
  const manifests = ['', ...workspaces].map((folder) => path.join(folder, 'package.json'))
  for (const file of [...manifests, 'package-lock.json', '.npmrc']) {
    if (!fs.existsSync(path.join(home, file))) continue
    fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true })
    fs.copyFileSync(path.join(home, file), path.join(to, file))
  }
}

async function npmCi(home, beside, parts) {
  const files = packagesOf(home, parts)
    .filter(([name, { link }]) => name.startsWith('node_modules/') && !link)
    .map(([name]) => path.join(beside, name, 'package.json'))
  say(`Installing ${files.length} packages…`)
  const since = Date.now()
  // On a terminal, npm shows its own progress.
  const hint = setInterval(() => {
    const there = files.filter((file) => fs.existsSync(file)).length
    say(`${there} of ${files.length} packages are there after ${Math.round((Date.now() - since) / 1000)} s.`)
  }, hintMs)
  if (process.stderr.isTTY) clearInterval(hint)
  // npm test needs the development dependencies even if NODE_ENV is production.
  const which = parts === 'all' ? '--include=dev' : '--omit=dev'
  const done = await run('npm', ['ci', which, '--no-audit', '--no-fund', '--loglevel=error'], beside)
  clearInterval(hint)
  if (done.status === 0) return
  const why = done.error ? done.error.message : `npm ci ended with ${done.signal || `status ${done.status}`}`
  throw new SetupError(
    `The dependencies could not be installed (${why}). Is the package registry reachable? Run it again to retry.`,
  )
}

/** Two renames: between them, for an instant, there is no node_modules. `putBack` mends a kill at that instant. */
function swap(home, beside) {
  const modules = path.join(home, 'node_modules')
  const old = path.join(beside, 'old')
  if (fs.existsSync(modules)) fs.renameSync(modules, old)
  try {
    fs.renameSync(path.join(beside, 'node_modules'), modules)
  } catch (error) {
    if (fs.existsSync(old)) fs.renameSync(old, modules)
    throw error
  }
}

/** Removes what killed setups have left, after it has put back the node_modules that one of them had moved aside. */
export function putBack(home) {
  for (const name of fs.readdirSync(home).filter((entry) => leftover.test(entry))) {
    const modules = path.join(home, 'node_modules')
    const old = path.join(home, name, 'old')
    if (!fs.existsSync(modules) && fs.existsSync(old)) fs.renameSync(old, modules)
    remove(path.join(home, name))
  }
}

/** What cannot be removed now, because an npm whose setup was killed still writes to it, the next setup removes. */
function remove(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!error.code) throw error
  }
}
