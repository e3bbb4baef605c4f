import { createHash } from 'node:crypto'

/**
 * Delimiters around untrusted text, which its authors can't guess. They are derived from an ID, so that a prompt can be
 * rebuilt.
 */
export function marksFor(id: string) {
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return {
    quoted: (text: string) => `<${mark}>\n${text.replaceAll(mark, '')}\n</${mark}>`,
    sentence: `Data stands between <${mark}> and </${mark}>.`,
  }
}

/** Removes delimiters, which a model may repeat in its output. */
export const withoutMarks = (text: string): string => text.replaceAll(/<\/?[0-9a-f]{12}>/g, '').trim()
