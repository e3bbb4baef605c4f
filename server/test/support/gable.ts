import { Readable } from 'node:stream'
import type { Cli } from '#kernel/cli/cli.ts'
import { openForCommand } from '../../src/cli/open-runtime.ts'
import { createProgram } from '../../src/cli/program.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { appSecret } from './app.ts'
import { keptDatabase } from './kept-database.ts'

export interface Outcome {
  /** The exit code. */
  code: number
  out: string
  err: string
}

/** Runs `gable` commands as an operator would, with this environment. */
export interface Gable {
  /** `input`: the text on standard input. */
  (args: readonly string[], input?: string): Promise<Outcome>
  /** The single value that a successful command prints to standard output. Throws if the command fails. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says itself what it expects
  json(...args: string[]): Promise<any>
  /** The exit code of a failed command, and the error that it prints with `--json`. */
  error(...args: string[]): Promise<unknown>
}

let last: Promise<unknown> = Promise.resolve()

const checked = new Set<string>()

/**
 * The first command of a worker on a database opens it as in production. Those that follow share the worker's
 * connections: opening some and checking the schema takes longer than most commands.
 */
const open: Cli['open'] = async (options) => {
  const url = process.env['DATABASE_URL']
  if (url === undefined || options?.migrates === true) return openForCommand(options)
  if (checked.has(url)) return openForCommand({ database: keptDatabase(url) })
  const command = await openForCommand()
  checked.add(url)
  return command
}

/** Declaring all commands takes as long as running one. */
let program: ReturnType<typeof createProgram> | undefined

/**
 * Runs commands in this process, one after another, because starting a process takes longer than most commands.
 * `cli.test.ts` tests what only a separate process does.
 */
export function gableWith(env: () => Record<string, string>): Gable {
  const gable = (args: readonly string[], input = ''): Promise<Outcome> => {
    const run = last.then(() =>
      inItsPlace({ APP_SECRET: appSecret, ...env() }, input, () =>
        runCommand(args, (program ??= createProgram(undefined, open))),
      ),
    )
    last = run.catch(() => undefined)
    return run
  }
  return Object.assign(gable, {
    async json(...args: string[]) {
      const { code, out, err } = await gable([...args, '--json'])
      if (code !== 0) throw new Error(`gable ${args.join(' ')} failed: ${err}`)
      return JSON.parse(out)
    },
    async error(...args: string[]) {
      const { code, out, err } = await gable([...args, '--json'])
      return { code, out, ...(JSON.parse(err) as object) }
    },
  })
}

/** Runs the work with this environment and input, and collects its output. */
async function inItsPlace(
  env: Record<string, string>,
  input: string,
  work: () => Promise<void>,
): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' }
  const restore = [
    replace(process, 'env', { PATH: process.env['PATH'], ...env }),
    replace(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    ...(['stdout', 'stderr'] as const).map((name) =>
      replace(process[name], 'write', (chunk: string | Uint8Array, ...rest: unknown[]) => {
        texts[name] += chunk.toString()
        const done = rest.at(-1)
        if (typeof done === 'function') done()
        return true
      }),
    ),
  ]
  const before = process.exitCode
  process.exitCode = 0
  try {
    await work()
    return { code: Number(process.exitCode), out: texts.stdout, err: texts.stderr }
  } finally {
    process.exitCode = before
    for (const undo of restore) undo()
  }
}

function replace(of: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(of, name)
  Object.defineProperty(of, name, { value, configurable: true, writable: true, enumerable: true })
  return () => {
    if (before === undefined) Reflect.deleteProperty(of, name)
    else Object.defineProperty(of, name, before)
  }
}
