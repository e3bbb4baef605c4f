import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

/** A program from docs/samples, run as its README describes. Disposing of it stops the program. */
export interface Sample extends AsyncDisposable {
  /** Everything that it has written to standard output. */
  stdout(): string
  stderr(): string
  /** Its exit code, once it has exited. */
  exit: Promise<number | null>
  /** Waits until the pattern matches standard output. Returns the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
}

const samples = new URL('../../../docs/samples/', import.meta.url)

export function startSample(file: string, env: Record<string, string>): Sample {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL(file, samples))], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exit = once(child, 'close').then(([code]) => code as number | null)
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    says: (pattern) =>
      vi.waitUntil(
        () => {
          if (child.exitCode !== null) throw new Error(`${file} has ended: ${stderr}`)
          return pattern.exec(stdout)
        },
        { timeout: 20_000 },
      ),
    async [Symbol.asyncDispose]() {
      child.kill()
      await exit
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
