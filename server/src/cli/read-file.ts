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

/** No line that anybody wrote is longer. */
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
