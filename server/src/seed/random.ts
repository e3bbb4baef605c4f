/** A seeded random number generator: the same seed produces the same demo data. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** A whole number; both bounds are inclusive. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Up to `count` elements of the list, each at most once, in random order. */
  sample<T>(list: readonly T[], count: number): T[]
  /** One of the values, with a probability proportional to its weight. */
  weighted<const T>(choices: readonly (readonly [T, weight: number])[]): T
  /**
   * Returns a function that deals the values from a shuffled deck, which contains each as often as its weight says.
   * So the rare ones come up in a small demo, too.
   */
  deck<T>(choices: readonly (readonly [T, count: number])[]): () => T
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for stories, unsuitable for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))

  function pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('Nothing to pick from.')
    return list[integer(0, list.length - 1)] as T
  }
  function sample<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(integer(0, left.length - 1), 1),
    ).flat()
  }
  function weighted<const T>(choices: readonly (readonly [T, weight: number])[]): T {
    let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of choices) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('Weights must be positive.')
  }
  function deck<T>(choices: readonly (readonly [T, count: number])[]): () => T {
    const cards = choices.flatMap(([value, count]) => Array.from({ length: count }, () => value))
    let left: T[] = []
    return () => {
      if (left.length === 0) left = sample(cards, cards.length)
      return left.pop() as T
    }
  }
  return { next, integer, chance: (probability) => next() < probability, pick, sample, weighted, deck }
}
