/** Chance that comes out the same for the same seed, so that demo data can be made again. */
export interface Random {
  /** 0 to below 1. */
  next(): number
  /** Whole, both ends included. */
  integer(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Some of the list, each at most once, in chance order. */
  sample<T>(list: readonly T[], count: number): T[]
  /** One of the values, each as likely as the weight beside it. */
  weighted<const T>(choices: readonly (readonly [T, weight: number])[]): T
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, plenty for telling stories, useless for secrets. */
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
  return { next, integer, chance: (probability) => next() < probability, pick, sample, weighted }
}
