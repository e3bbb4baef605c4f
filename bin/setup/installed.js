// What is in the node_modules of a folder, beside what its package-lock.json wants. `start` is what the program needs,
// `all` also what only development needs.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isReadOnly, readIfThere } from './files.js'

const stamp = (modules) => path.join(modules, '.gable-setup')
/** npm's record of what it has installed. */
const record = (modules) => path.join(modules, '.package-lock.json')
const modulesOf = (home) => path.join(home, 'node_modules')

/** Whether a setup has vouched for these parts of this lockfile, and npm has changed nothing since. */
export function hasStamp(home, parts) {
  const modules = modulesOf(home)
  const said = readIfThere(stamp(modules))
  return (
    [parts, 'all'].some((some) => said === stampOf(home, some)) &&
    fs.existsSync(record(modules)) &&
    fs.statSync(stamp(modules)).mtimeMs >= fs.statSync(record(modules)).mtimeMs
  )
}

/** Vouches for the parts. Where nothing can be written, the next start compares again. */
export function writeStamp(home, parts, modules = modulesOf(home)) {
  try {
    fs.writeFileSync(stamp(modules), stampOf(home, parts))
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
}

function stampOf(home, parts) {
  const lockfile = fs.readFileSync(path.join(home, 'package-lock.json'))
  const hash = createHash('sha256').update(lockfile).digest('hex')
  return `${hash} ${process.platform}-${process.arch} ${parts}\n`
}

/**
 * Whether npm has installed the parts, by its own record of it: an image that was built with `npm ci`, or with
 * `npm ci --omit=dev` for `start`, must start offline.
 */
export function has(home, parts) {
  const recorded = readIfThere(record(modulesOf(home)))
  if (recorded === undefined) return false
  const present = JSON.parse(recorded).packages
  return packagesOf(home, parts).every(
    ([name, { version }]) => present[name] !== undefined && present[name].version === version,
  )
}

/** The entries of the lockfile that the parts need on this machine. */
export function packagesOf(home, parts) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(home, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).filter(
    ([name, entry]) =>
      name !== '' && isRequired(entry) && (parts === 'all' || !(entry.dev || entry.devOptional)),
  )
}

/** npm omits optional packages for another platform, processor, or C library. That is not an error. */
function isRequired({ optional, os, cpu, libc }) {
  if (!optional) return true
  return Boolean(os && os.includes(process.platform) && (!cpu || cpu.includes(process.arch)) && !libc)
}
