import { readFileSync } from 'node:fs'

/** The cases in a file of this folder: one JSON value a line. */
export const readCases = <T>(name: string): T[] =>
  readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
