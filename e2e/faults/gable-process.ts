import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
const startMs = 180_000

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The program as an operator runs it. Disposing it kills the process and waits for its end. */
export interface GableProcess extends AsyncDisposable {
  pid: number
  stdout(): string
  stderr(): string
  exit: Promise<Exit>
  kill(signal: NodeJS.Signals): void
  /** Waits for the condition. Rejects with the output if the process ends before or the wait takes too long. */
  until(condition: () => boolean): Promise<void>
  /** Waits for its end. Rejects if that takes too long. */
  over(bound: { within_ms: number }): Promise<void>
}

/** The line on standard output. */
export interface ReadyLine {
  ready: true
  base_url: string
  auth_url: string
  docs_url: string
  sign_in_url: string
  mail_url: string | null
  phone_url: string | null
  workspaces: { id: string; name: string; api_key?: string; owner?: { email: string; password: string } }[]
}

export interface RunningGable extends GableProcess {
  ready: ReadyLine
  /** http://host:port/v1 */
  base: string
  /** http://host:port */
  origin: string
}

/** Runs `node server/src/main.ts` of a clone with this environment only, on a free port unless it names one. */
export function spawnGable(env: Record<string, string>, clone = root): GableProcess {
  const { PATH = '', HOME = '/', TMPDIR = '/tmp' } = process.env
  const child = spawn(join(clone, 'node_modules/.bin/node'), [join(clone, 'server/src/main.ts')], {
    env: { PATH, HOME, TMPDIR, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('The process was not started.')
  let stdout = ''
  let stderr = ''
  let running = true
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.on('exit', () => (running = false))
  // Not 'exit': when 'close' fires, the output has been read completely.
  const exit = new Promise<Exit>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  const kill = (signal: NodeJS.Signals) => void (running && child.kill(signal))
  return {
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    kill,
    async until(condition) {
      const holds = () => {
        if (!running) throw new Error(`Gable ended early:\n${stderr}`)
        return condition()
      }
      await vi.waitUntil(holds, { timeout: startMs, interval: 10 })
    },
    async over({ within_ms }) {
      await vi.waitUntil(() => !running, { timeout: within_ms, interval: 10 })
    },
    async [Symbol.asyncDispose]() {
      kill('SIGKILL')
      await exit
    },
  }
}

/** The same, and waits until it is ready. */
export async function startGable(env: Record<string, string>, clone = root): Promise<RunningGable> {
  await using opened = new AsyncDisposableStack()
  const child = opened.use(spawnGable(env, clone))
  await child.until(() => child.stdout().includes('\n'))
  const ready = JSON.parse(child.stdout()) as ReadyLine
  opened.move()
  return { ...child, ready, base: ready.base_url, origin: new URL(ready.base_url).origin }
}
