import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { vi } from 'vitest'

/** Ports of 127.0.0.1 that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}

/** A daemon in the foreground, with a process group of its own. */
export function startDaemon(program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  // A run that is interrupted leaves no daemon behind.
  const end = () => void signal(child, 'SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** Ends a daemon, then what is left of its group: processes of Dovecot serve their clients for longer. */
export async function endDaemon(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  signal(child, 'SIGTERM')
  const insist = setTimeout(() => signal(child, 'SIGKILL'), 5_000)
  await vi.waitUntil(() => !signal(child, 0), { timeout: 10_000, interval: 20 })
  clearTimeout(insist)
}

/** Whether there still was a process in the group of a daemon, to which the signal went. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, name)
  } catch {
    return false
  }
}
