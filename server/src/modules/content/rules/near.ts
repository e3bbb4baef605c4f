/** Phrases for two classes of words in either order, with at most `gap` words between them. */
export const near = (gap: number, one: string, other: string): string[] => [
  `(${one}) ~${gap} (${other})`,
  `(${other}) ~${gap} (${one})`,
]
