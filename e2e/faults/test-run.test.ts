import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProcess } from '@gable/postgres/processes.ts'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs tests as `npm test` does, in a process group of its own, with a place for what they leave. */
async function startTestRun() {
  const place = await mkdtemp(join(tmpdir(), 'gable-run-'))
  await chmod(place, 0o755)
  const { PATH = '', HOME = '/' } = process.env
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'server/test/contract/masking'],
    { cwd: root, detached: true, env: { PATH, HOME, TMPDIR: place }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  child.stderr.resume()
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  return {
    place,
    child,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
      await rm(place, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The pid of the PostgreSQL of a run, once its tests run. */
async function runningPostgres(place: string): Promise<number> {
  let pid = 0
  await vi.waitFor(
    async () => {
      const files = await readdir(place, { recursive: true })
      const file = files.find((name) => name.endsWith('postmaster.pid')) ?? ''
      pid = Number((await readFile(join(place, file), 'utf8')).split('\n')[0])
      expect(findProcess(pid)).toBeDefined()
    },
    { timeout: 60_000, interval: 50 },
  )
  return pid
}

test.each<[string, (child: ChildProcess) => void]>([
  ['its process group gets SIGTERM', ({ pid = 0 }) => process.kill(-pid, 'SIGTERM')],
  ['its process group gets SIGINT', ({ pid = 0 }) => process.kill(-pid, 'SIGINT')],
  ['its process is killed', (child) => child.kill('SIGKILL')],
  ['the reader of its output goes away', ({ stdout }) => stdout?.destroy()],
])('a test run leaves no PostgreSQL and no directory behind when %s', async (_, end) => {
  await using run = await startTestRun()
  const postgres = await runningPostgres(run.place)
  // Some tests have begun.
  await new Promise((resolve) => run.child.stdout.once('data', resolve))
  end(run.child)
  await vi.waitFor(
    async () => {
      const left = await readdir(run.place)
      // Vitest may leave what it has compiled.
      expect(left.filter((name) => name.startsWith('gable-'))).toEqual([])
      expect(findProcess(postgres)).toBeUndefined()
    },
    { timeout: 60_000, interval: 50 },
  )
})
