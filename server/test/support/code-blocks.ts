export interface CodeBlock {
  language: string
  text: string
}

/** The fenced blocks of code on a page, in their order. */
export const codeBlocks = (page: string): CodeBlock[] =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
