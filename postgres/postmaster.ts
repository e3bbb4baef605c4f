import { spawn } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnvironment } from './account.ts'
import type { Cluster } from './cluster.ts'
import { findProcess, listProcesses, signal } from './processes.ts'
import { openLog, readLog, rotateLog } from './server-log.ts'

/** PostgreSQL's main process, the parent of all others. */
export interface Postmaster {
  pid: number
  port: number
}

/**
 * Finds the postmaster of this cluster. The pid file alone is not proof: after kill -9 or a reboot, the pid may
 * belong to a zombie or to another program, and PostgreSQL would not start. Removes such a file. If a postmaster is
 * running after all, PostgreSQL's shared memory lock prevents a second one.
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const file = join(cluster.place, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [pid = '', directory = '', , port = ''] = text.split('\n')
  if (isPostmaster(cluster, Number(pid)) && (await isSame(directory, cluster.place)))
    return { pid: Number(pid), port: Number(port) }
  await rm(file, { force: true })
  return undefined
}

/** Starts a postmaster without waiting until it is ready. It is detached, so that Ctrl-C does not reach it. */
export async function startPostmaster(
  cluster: Cluster,
  binaries: string,
  port: number,
): Promise<Postmaster & { complaint(): Promise<string> }> {
  endOrphans(cluster)
  await rotateLog(cluster.logFile)
  await using log = await openLog(cluster.logFile)
  const { size } = await log.stat()
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', cluster.place, ...settings(cluster.clusterName, port)],
    {
      ...cluster.account,
      cwd: '/',
      env: cleanEnvironment,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  const pid = await new Promise<number>((resolve, reject) => {
    child.on('spawn', () => resolve(child.pid ?? 0))
    child.on('error', reject)
  })
  child.unref()
  return { pid, port, complaint: () => readLog(cluster.logFile, size) }
}

/** Signals in this order, each with the number of milliseconds to wait for its effect. */
const stopSignals = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 4000],
  ['SIGKILL', 2000],
] as const

/**
 * Stops a postmaster and waits until it is gone: first with a checkpoint, then immediately, then by force. A hung one
 * gets no time for a checkpoint. Committed data survives all three.
 */
export async function stopPostmaster(
  cluster: Cluster,
  { pid }: Postmaster,
  state: 'healthy' | 'hung' = 'healthy',
): Promise<void> {
  for (const [name, patienceMs] of state === 'healthy' ? stopSignals : stopSignals.slice(1)) {
    signal(pid, name)
    const givesUpAt = performance.now() + patienceMs
    while (performance.now() < givesUpAt) {
      // A process that is exiting has an empty title.
      if (findProcess(pid)?.title !== '' && !isPostmaster(cluster, pid)) return
      await delay(10)
    }
    cluster.log(`PostgreSQL (pid ${pid}) did not stop within ${patienceMs / 1000} s of ${name}.`)
  }
}

/** Identifies the postmaster by its command line. Its child processes change theirs. */
export function isPostmaster(cluster: Cluster, pid: number): boolean {
  return findProcess(pid)?.title.includes(` cluster_name=${cluster.clusterName} `) ?? false
}

/**
 * Kills child processes that outlived a killed postmaster because they were busy. They hold the shared memory, and no
 * postmaster can start until they are gone.
 */
function endOrphans(cluster: Cluster): void {
  for (const { pid, parent, title } of listProcesses()) {
    if (title.startsWith(`postgres: ${cluster.clusterName}: `) && !isPostmaster(cluster, parent))
      signal(pid, 'SIGKILL')
  }
}

/**
 * Whether a pid file's directory is this cluster's. A copied data directory contains the pid file of the original,
 * which is a different cluster. A moved one contains its own pid file, whose path no longer exists.
 */
async function isSame(recorded: string, place: string): Promise<boolean> {
  const real = await realpath(recorded).catch(() => undefined)
  return real === undefined || real === (await realpath(place))
}

const megabyte = 2 ** 20

/**
 * PostgreSQL's settings. They are passed on the command line, so that a newer Gable applies its settings to an old
 * cluster.
 */
function settings(clusterName: string, port: number): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  const values = {
    cluster_name: clusterName,
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    // Each process of Gable has about twenty: the server, workers beside it, and commands.
    max_connections: 200,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: memory >= 2048 * megabyte ? '256MB' : '64MB',
    random_page_cost: 1.1,
    // Compiling a plan takes longer than the API's short statements run.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Excludes statement errors, which the API reports and which may quote customer data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
