import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { root } from '../faults/gable-process.ts'

const fakeNpm = fileURLToPath(new URL('fake-npm.js', import.meta.url))

/** A folder with our bin/setup.js, a package that the program needs and one of development, and an npm that stands in. */
export interface Clone extends AsyncDisposable {
  path: string
  /** Runs bin/setup.js to its end. */
  setup(args: string[], env?: Record<string, string>): Promise<Ended>
  /** Starts it. */
  start(args: string[], env?: Record<string, string>): Running
  /** Writes the lockfile, with this version of the package that the program needs. */
  lock(version: string): Promise<void>
  /** What npm has been asked so far. */
  asked(): Promise<string[]>
  /** The version of a package in node_modules. Undefined if it is not there. */
  installed(name: string): Promise<string | undefined>
  /** Names in the folder that a setup left behind. */
  leftovers(): Promise<string[]>
  /** Changes whenever another node_modules takes the place. */
  inode(): Promise<number>
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  pid: number
  ended: Promise<Ended>
}

export async function newClone(): Promise<Clone> {
  const path = await mkdtemp(join(tmpdir(), 'gable-setup-'))
  const log = join(path, 'asked.log')
  await cp(join(root, 'bin'), join(path, 'bin'), { recursive: true })
  await mkdir(join(path, 'server'))
  await mkdir(join(path, 'npm'))
  await writeFile(log, '')
  await writeFile(join(path, 'npm/npm'), `#!/bin/sh\nexec '${process.execPath}' '${fakeNpm}' "$@"\n`)
  await chmod(join(path, 'npm/npm'), 0o755)
  await writeFile(join(path, 'package.json'), JSON.stringify({ type: 'module', workspaces: ['server'] }))
  await writeFile(join(path, 'server/package.json'), JSON.stringify({ name: '@gable/server' }))

  const pids: number[] = []
  const start = (args: string[], env: Record<string, string> = {}): Running => {
    const child = spawn(process.execPath, [join(path, 'bin/setup.js'), ...args], {
      env: { PATH: `${join(path, 'npm')}:${process.env['PATH']}`, FAKE_NPM_LOG: log, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a group of its own, which ends with the clone.
      detached: true,
    })
    if (child.pid === undefined) throw new Error('The setup was not started.')
    pids.push(child.pid)
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return {
      pid: child.pid,
      ended: ended.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })),
    }
  }
  const clone: Clone = {
    path,
    start,
    setup: (args, env) => start(args, env).ended,
    lock: (version) =>
      writeFile(
        join(path, 'package-lock.json'),
        JSON.stringify({
          packages: {
            '': { name: 'gable' },
            server: { version: '0.1.0' },
            'node_modules/@gable/server': { resolved: 'server', link: true },
            'node_modules/node': { version: '26.0.0' },
            'node_modules/needed': { version },
            'node_modules/checker': { version: '1.0.0', dev: true },
            'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['none'] },
          },
        }),
      ),
    asked: async () => (await readFile(log, 'utf8')).split('\n').slice(0, -1),
    installed: (name) =>
      readFile(join(path, 'node_modules', name, 'package.json'), 'utf8').then(
        (manifest) => (JSON.parse(manifest) as { version: string }).version,
        () => undefined,
      ),
    leftovers: async () => (await readdir(path)).filter((name) => name.startsWith('.gable')),
    inode: async () => (await stat(join(path, 'node_modules'))).ino,
    async [Symbol.asyncDispose]() {
      for (const pid of pids) if (isGroup(pid)) process.kill(-pid, 'SIGKILL')
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await clone.lock('1.0.0')
  return clone
}

function isGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}
