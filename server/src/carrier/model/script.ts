import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What the scripted model does when what it is asked matches. */
export interface ScriptLine {
  /** A regular expression over what was said last, whatever the case. */
  match: string
  /** What it is asked for; a response to a message by default. */
  of?: 'reply' | 'summary' | 'review'
  /** What it writes, in place of all that it does not say. */
  say?: Record<string, unknown>
  /** `slow` responds after half a minute, `down` with an error, `malformed` with what is not JSON. */
  behavior?: 'slow' | 'down' | 'malformed'
}

/** The lines of a script, in YAML. The first that matches counts. */
const readScript = (text: string): ScriptLine[] => parse(text) as ScriptLine[]

export const standardScript = (): ScriptLine[] =>
  readScript(readFileSync(new URL('script.yaml', import.meta.url), 'utf8'))
