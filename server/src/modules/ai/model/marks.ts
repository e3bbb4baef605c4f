import { createHash } from 'node:crypto'

/** Marks around what others wrote, which they cannot know. They follow from an ID, so that a prompt can be made again. */
export function marksFor(id: string) {
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return {
    quoted: (text: string) => `<${mark}>\n${text.replaceAll(mark, '')}\n</${mark}>`,
    sentence: `Data stands between <${mark}> and </${mark}>.`,
  }
}

/** A model may repeat the marks that it has seen. */
export const withoutMarks = (text: string): string => text.replaceAll(/<\/?[0-9a-f]{12}>/g, '').trim()
