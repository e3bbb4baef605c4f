import { createReadStream } from 'node:fs'
import { OperatorError } from '../operator-error.ts'

/** Streams the bytes of a file, or of standard input for `-`. Throws `OperatorError` if the file cannot be read. */
export async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) yield chunk as Buffer
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw code === undefined ? cause : new OperatorError(`Cannot read ${file} (${code}).`, { cause })
  }
}

/** Characters. Longer than any line that a person writes. */
const maxLine = 1000

/** Streams the lines of a file without their line ends. Truncates lines longer than `maxLine`. */
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

/** Larger than any document that a command reads. */
const maxBytes = 20 * 1024 * 1024

/** Parses the JSON in a file, or on standard input for `-`. Throws `OperatorError` if it is too large or not JSON. */
export async function readJson(file: string): Promise<unknown> {
  const name = file === '-' ? 'Standard input' : file
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new OperatorError(`${name} is too large.`)
  }
  // Strip the byte order mark that some editors write.
  return parseJson(
    Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, ''),
    name,
  )
}

/** `name` identifies the source of the text in the error. Throws `OperatorError` if the text is not JSON. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what = cause instanceof Error ? cause.message.replace(/^(.{300}).*$/s, '$1…') : String(cause)
    throw new OperatorError(`${name} is not JSON: ${what}`, { cause })
  }
}
