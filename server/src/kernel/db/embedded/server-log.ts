import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'

const largestBytes = 5 * 2 ** 20

/** Keeps the log from growing forever: the full one becomes `.1` and its writer, which appends, goes on at the start. */
export async function rotateLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < largestBytes) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

/** For appending, readable by us only: PostgreSQL gets it opened and needs no permission of its own. */
export const openLog = (file: string) => open(file, 'a', 0o600)

/** What PostgreSQL wrote after that many bytes. */
export async function readLog(file: string, from: number): Promise<string> {
  return (await readFile(file)).subarray(from).toString('utf8')
}

/** The one sentence of PostgreSQL's output that says why it failed, without a full stop. */
export function reasonIn(output: string): string {
  const reason =
    /(?:FATAL|PANIC|ERROR|error): +(.*)/.exec(output)?.[1] ??
    output.replace(/^postgres: /, '').replaceAll(/\s+/g, ' ')
  return reason.slice(0, 300).trim().replace(/\.$/, '')
}
