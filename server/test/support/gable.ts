import { Readable } from 'node:stream'
import { runProgram } from '../../src/cli/run-program.ts'
import { appSecret } from './app.ts'

export interface Outcome {
  /** The exit code. */
  code: number
  out: string
  err: string
}

/** Runs `gable` commands as an operator does, with this environment. */
export interface Gable {
  /** `input`: what is on standard input. */
  (args: readonly string[], input?: string): Promise<Outcome>
  /** The one value on standard output of a command that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says itself what it expects
  json(...args: string[]): Promise<any>
  /** The exit code and the error, as `--json` prints it, of a command that fails. */
  error(...args: string[]): Promise<unknown>
}

let last: Promise<unknown> = Promise.resolve()

/**
 * In this process, one command after the other: starting a process takes longer than most commands. What a process does by
 * itself is tested in `cli.test.ts`.
 */
export function gableWith(env: () => Record<string, string>): Gable {
  const gable = (args: readonly string[], input = ''): Promise<Outcome> => {
    const run = last.then(() =>
      inItsPlace({ APP_SECRET: appSecret, ...env() }, input, () => runProgram(args)),
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

/** Gives the work this environment and input, and collects what it writes. */
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
