import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The scripted model's behavior when the prompt matches. */
export interface ScriptLine {
  /** A case-insensitive regular expression for what was said last. */
  match: string
  /** What the model is asked for; defaults to `reply`. */
  of?: 'reply' | 'summary' | 'review'
  /** Properties of the output. Omitted ones keep their defaults. */
  say?: Record<string, unknown>
  /** `slow` responds after 30 seconds, `down` responds with an error, and `malformed` responds with invalid JSON. */
  behavior?: 'slow' | 'down' | 'malformed'
}

/** Parses a script in YAML. The first matching line counts. */
const readScript = (text: string): ScriptLine[] => parse(text) as ScriptLine[]

export const standardScript = (): ScriptLine[] =>
  readScript(readFileSync(new URL('script.yaml', import.meta.url), 'utf8'))
