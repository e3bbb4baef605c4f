import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'

const largestBytes = 5 * 2 ** 20

/**
 * Limits the log's size: copies a full log to `.1` and truncates it. PostgreSQL opened it for appending and continues
 * at the start.
 */
export async function rotateLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < largestBytes) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/** Opens the log for appending. Only its owner can read it. PostgreSQL inherits the file descriptor. */
export const openLog = (file: string) => open(file, 'a', 0o600)

/** The log's text after the first `from` bytes. */
export async function readLog(file: string, from: number): Promise<string> {
  return (await readFile(file)).subarray(from).toString('utf8')
}

/** The sentence in PostgreSQL's output that states why it failed, without the period. */
export function reasonIn(output: string): string {
  const reason =
    /(?:FATAL|PANIC|ERROR|error): +(.*)/.exec(output)?.[1] ??
    output.replace(/^postgres: /, '').replaceAll(/\s+/g, ' ')
  return reason.slice(0, 300).trim().replace(/\.$/, '')
}
