import { createReadStream } from 'node:fs'
import { OperatorError } from '../operator-error.ts'

/** The bytes of a file as they come, or of standard input for `-`. */
export async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) yield chunk as Buffer
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw code === undefined ? cause : new OperatorError(`Cannot read ${file} (${code}).`, { cause })
  }
}

/** Longer than any line that a person writes. */
const maxLine = 1000

/** The lines of a file without their ends, one after the other; of a longer one only its beginning. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(file)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()?.slice(0, maxLine) ?? ''
    for (const line of lines) yield line.slice(0, maxLine).trimEnd()
  }
  if (rest !== '') yield rest.trimEnd()
}

/** Larger than any document. */
const maxBytes = 20 * 1024 * 1024

/** The JSON in a file, or on standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const name = file === '-' ? 'Standard input' : file
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new OperatorError(`${name} is too large.`)
  }
  // Without the byte order mark that some editors write.
  return parseJson(
    Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, ''),
    name,
  )
}

/** `name`: where the text comes from, for the error. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.replace(/^(.{300}).*$/s, '$1…') : String(cause)
    throw new OperatorError(`${name} is not JSON: ${what}`, { cause })
  }
}
