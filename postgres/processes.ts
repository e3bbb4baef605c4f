import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'

export interface Process {
  pid: number
  parent: number
  /** The command line. A program may change it. */
  title: string
}

const hasProc = existsSync('/proc/self/stat')

/** The running process with this pid. A zombie does not count, although it can be signaled. */
export function findProcess(pid: number): Process | undefined {
  return hasProc ? readProc(pid) : listByPs(['-p', String(pid)])[0]
}

export function listProcesses(): Process[] {
  if (!hasProc) return listByPs(['-ax'])
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readProc(Number(pid))).filter((process) => process !== undefined)
}

/** Sends a signal to a process that may already be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process is gone or belongs to another user. The caller checks.
  }
}

function readProc(pid: number): Process | undefined {
  try {
    // The format is "pid (name) state parent …", and the name may contain anything.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return {
      pid,
      parent: Number(parent),
      title: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    }
  } catch {
    return undefined
  }
}

function listByPs(selection: string[]): Process[] {
  const { stdout } = spawnSync('ps', [...selection, '-ww', '-o', 'pid=,ppid=,state=,command='], {
    encoding: 'utf8',
  })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, state, title] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (title === undefined || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), title }]
  })
}
