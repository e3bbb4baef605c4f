/** Two classes of words, at most so many words apart, whichever comes first. */
export const near = (gap: number, one: string, other: string): string[] => [
  `(${one}) ~${gap} (${other})`,
  `(${other}) ~${gap} (${one})`,
]
