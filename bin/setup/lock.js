// Allows one setup at a time: a second one waits and then finds everything done.
import * as fs from 'node:fs'
import { isReadOnly, readIfThere } from './files.js'
import { SetupError, say } from './say.js'

const patienceMs = 15 * 60000

/** Does the work when no other setup does. Takes over a lock that a dead process left behind. */
export async function withLock(file, work) {
  const givesUpAt = Date.now() + patienceMs
  let reported = false
  while (!takeLock(file, process.pid)) {
    const holder = lockHolder(file)
    if (holder && !isAlive(holder)) clearLock(file, holder)
    else if (Date.now() > givesUpAt) {
      throw new SetupError(
        `Another setup (process ${holder}) does not end. If it is not running, delete ${file}.`,
      )
    } else if (!reported) {
      say(`Waiting for another setup (process ${holder})…`)
      reported = true
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  try {
    await work()
  } finally {
    fs.rmSync(file, { force: true })
  }
}

/**
 * The lock is a symlink whose target is a pid. It appears atomically, so no process ever reads a lock without its
 * holder. Where nothing can be written, nothing can be installed either, and what is there needs no lock.
 */
function takeLock(file, pid) {
  try {
    fs.symlinkSync(String(pid), file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    if (isReadOnly(error)) return true
    throw error
  }
}

function lockHolder(file) {
  try {
    return Number(fs.readlinkSync(file))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Moves the dead lock aside. If another setup took it over at that moment, restores the other's lock. */
function clearLock(file, deadHolder) {
  const aside = `${file}.${process.pid}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  const moved = lockHolder(aside)
  if (moved && moved !== deadHolder) takeLock(file, moved)
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
