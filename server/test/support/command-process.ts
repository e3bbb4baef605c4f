import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { appSecret } from './app.ts'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const cache = fileURLToPath(new URL('../../../node_modules/.cache/gable-cli-test', import.meta.url))

/** A command that runs until it is ended. */
export interface CommandProcess extends AsyncDisposable {
  lines(): string[]
  /** The lines as JSON. */
  values<T>(): T[]
  stderr(): string
  /** Waits until the condition holds. Throws if the command ends first. */
  until(condition: () => boolean): Promise<void>
  /** The exit code. */
  ended: Promise<number | null>
  /** Sends this signal. Returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a `gable` command in a process of its own. */
export function startCommand(args: readonly string[], databaseUrl: string): CommandProcess {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    APP_SECRET: appSecret,
    NODE_COMPILE_CACHE: cache,
  }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = (once(child, 'close') as Promise<[number | null]>).then(([code]) => code)
  const lines = () => out.split('\n').slice(0, -1)
  return {
    lines,
    values: () => lines().map((line) => JSON.parse(line)),
    stderr: () => err,
    async until(condition) {
      const holds = () => {
        if (child.exitCode !== null) throw new Error(`gable ${args[0]} ended early: ${err}`)
        return condition()
      }
      await vi.waitUntil(holds, { timeout: 120_000, interval: 20 })
    },
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
