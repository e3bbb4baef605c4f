import { readFileSync } from 'node:fs'

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

/** The script in YAML. The first matching line counts. */
export async function standardScript(): Promise<ScriptLine[]> {
  const { parse } = await import('yaml')
  return parse(readFileSync(new URL('script.yaml', import.meta.url), 'utf8')) as ScriptLine[]
}
