import { spawn } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findProcess, listProcesses, signal } from './processes.ts'
import { cleanEnvironment } from './run.ts'
import { openLog, readLog, rotateLog } from './server-log.ts'
import { settings } from './settings.ts'
import type { Site } from './site.ts'

/** The parent of all processes of a running PostgreSQL. */
export interface Postmaster {
  pid: number
  port: number
}

/**
 * The postmaster of this cluster, whoever started it. Its pid file alone proves nothing: after kill -9 or a restart of
 * the machine the number may be a zombie's or a stranger's, and PostgreSQL itself would then refuse to start. Such a
 * file is removed; against a postmaster that lives all the same PostgreSQL's shared memory lock still stands.
 */
export async function findPostmaster(site: Site): Promise<Postmaster | undefined> {
  const file = join(site.place, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [pid = '', directory = '', , port = ''] = text.split('\n')
  if (isPostmaster(site, Number(pid)) && (await isSame(directory, site.place)))
    return { pid: Number(pid), port: Number(port) }
  await rm(file, { force: true })
  return undefined
}

/** Starts one and returns without waiting for it to be ready. Detached: Ctrl-C in the terminal reaches only us. */
export async function startPostmaster(
  site: Site,
  binaries: string,
  port: number,
): Promise<Postmaster & { complaint(): Promise<string> }> {
  endOrphans(site)
  await rotateLog(site.logFile)
  await using log = await openLog(site.logFile)
  const { size } = await log.stat()
  const child = spawn(join(binaries, 'postgres'), ['-D', site.place, ...settings(site.clusterName, port)], {
    ...site.account,
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.on('spawn', () => resolve(child.pid ?? 0))
    child.on('error', reject)
  })
  child.unref()
  return { pid, port, complaint: () => readLog(site.logFile, size) }
}

const waysToEnd = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 4000],
  ['SIGKILL', 2000],
] as const

/**
 * Ends it and waits until it is gone, for so many milliseconds: first in order, with a checkpoint, then at once, then
 * by force. A hung one is not asked for order. Committed data survives all three.
 */
export async function stopPostmaster(
  site: Site,
  { pid }: Postmaster,
  state: 'well' | 'hung' = 'well',
): Promise<void> {
  for (const [name, patienceMs] of state === 'well' ? waysToEnd : waysToEnd.slice(1)) {
    signal(pid, name)
    const givesUpAt = performance.now() + patienceMs
    while (performance.now() < givesUpAt) {
      // One that is just ending has lost its title already.
      if (findProcess(pid)?.title !== '' && !isPostmaster(site, pid)) return
      await delay(10)
    }
    site.log(`PostgreSQL (pid ${pid}) did not end within ${patienceMs / 1000} s of ${name}.`)
  }
}

/** Known by its command line, which a postmaster keeps; its children rename themselves. */
export function isPostmaster(site: Site, pid: number): boolean {
  return findProcess(pid)?.title.includes(` cluster_name=${site.clusterName} `) ?? false
}

/**
 * Children that outlived a killed postmaster because they were busy. They hold the shared memory, and until they end
 * no new one starts; nobody waits for their answer any more.
 */
function endOrphans(site: Site): void {
  for (const { pid, parent, title } of listProcesses()) {
    if (title.startsWith(`postgres: ${site.clusterName}: `) && !isPostmaster(site, parent))
      signal(pid, 'SIGKILL')
  }
}

/**
 * A copied data directory brings the pid file of the original, whose postmaster is not ours. A moved one brings its
 * own, with a path that is no more.
 */
async function isSame(recorded: string, place: string): Promise<boolean> {
  const real = await realpath(recorded).catch(() => undefined)
  return real === undefined || real === (await realpath(place))
}
