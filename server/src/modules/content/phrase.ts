/** A part of a phrase: a word, a gap of up to `gap` words, or one of several alternatives. */
type Part =
  | { word: string }
  | { gap: number }
  | { alternatives: readonly (readonly Part[])[]; optional: boolean }

/**
 * Parses a phrase such as `not (ok|quite fine) for [the] ~2 kids`. Parentheses contain alternatives; brackets contain optional
 * alternatives. Each alternative has one or more words and may nest. `~2` matches up to two arbitrary words. Throws for a syntax error.
 */
export function parsePhrase(text: string): readonly Part[] {
  const tokens = text.match(/[()[\]|]|[^\s()[\]|]+/g) ?? []
  let at = 0
  const alternatives = (end: string): Part[][] => {
    const all: Part[][] = [[]]
    for (; at < tokens.length && tokens[at] !== end; at++) {
      const token = tokens[at] ?? ''
      const current = all.at(-1) ?? []
      if (token === '|') all.push([])
      else if (token === '(' || token === '[') {
        at++
        const closing = token === '(' ? ')' : ']'
        current.push({ alternatives: alternatives(closing), optional: token === '[' })
      } else if (token.startsWith('~')) current.push({ gap: Number(token.slice(1)) })
      else current.push({ word: token })
    }
    if ((tokens[at] ?? '') !== end) throw new Error(`“${text}” has no “${end}”.`)
    return all
  }
  const [parts = [], ...more] = alternatives('')
  if (more.length > 0 || parts.length === 0) throw new Error(`“${text}” is no phrase.`)
  return parts
}

export function wordsIn(parts: readonly Part[], words: string[] = []): string[] {
  for (const part of parts) {
    if ('word' in part) words.push(part.word)
    else if ('alternatives' in part) for (const one of part.alternatives) wordsIn(one, words)
  }
  return words
}

/**
 * A position within phrases: a node of the NFA. It leads to `next` by the word with the id `word`, or by any word if that is undefined, and
 * to the nodes in `aside` without a word. There are tens of thousands, so they are small.
 */
interface Place<R> {
  id: number
  word: number | undefined
  next: Place<R> | undefined
  aside: readonly Place<R>[]
  rule: R | undefined
}

/** All positions that the words so far lead to: a state of the DFA. `next` caches transitions; null means that no phrase continues. */
interface State<R> {
  /** Where specific words lead, and where every word leads. */
  byWord: ReadonlyMap<number, readonly Place<R>[]>
  byAny: readonly Place<R>[]
  rule: R | undefined
  next: Map<number, State<R> | null>
}

/** The cache of states is cleared when it exceeds this size. */
const maxStates = 20_000

export interface PhraseMatcher<R> {
  /**
   * Finds the longest phrase that starts at a word: its rule, and its end, exclusive. A phrase stays within the word's line; a phrase of
   * two words only within its clause.
   */
  longestAt(
    words: readonly { id: number; clause: number; line: number }[],
    at: number,
  ): { rule: R; end: number } | undefined
}

/**
 * Matches many phrases at once. Each word is one step, whatever the number of phrases: a lazily built, cached DFA follows all their
 * positions together. If several rules end at the same word, the first one wins.
 */
export function matcherOf<R>(
  rules: readonly { phrase: readonly Part[]; rule: R }[],
  idOf: (word: string) => number,
): PhraseMatcher<R> {
  let placeCount = 0
  const none: readonly Place<R>[] = []
  const ending = (rule: R): Place<R> => ({ ...leadingTo(none), rule })
  const leadingTo = (aside: readonly Place<R>[], next?: Place<R>, word?: number): Place<R> => ({
    id: placeCount++,
    word,
    next,
    aside,
    rule: undefined,
  })
  /** Creates a position from which the parts lead to `target`. */
  const before = (parts: readonly Part[], target: Place<R>): Place<R> => {
    let place = target
    for (const part of parts.toReversed()) {
      const after = place
      if ('word' in part) place = leadingTo(none, after, idOf(part.word))
      else if ('gap' in part) for (let left = part.gap; left > 0; left--) place = leadingTo([after], place)
      else {
        const all = part.alternatives.map((one) => before(one, after))
        place = leadingTo(part.optional ? [...all, after] : all)
      }
    }
    return place
  }

  const states = new Map<string, State<R>>()
  const stateOf = (reached: Iterable<Place<R>>): State<R> | null => {
    const all = new Set(reached)
    for (const place of all) for (const one of place.aside) all.add(one)
    const places = [...all].toSorted((one, other) => one.id - other.id)
    if (places.length === 0) return null
    const key = places.map(({ id }) => id).join(' ')
    const known = states.get(key)
    if (known !== undefined) return known
    const byWord = new Map<number, Place<R>[]>()
    const byAny: Place<R>[] = []
    for (const { word, next } of places) {
      if (next === undefined) continue
      const targets = word === undefined ? byAny : byWord.get(word)
      if (targets === undefined) byWord.set(word as number, [next])
      else targets.push(next)
    }
    const state = {
      byWord,
      byAny,
      rule: places.find(({ rule }) => rule !== undefined)?.rule,
      next: new Map(),
    }
    states.set(key, state)
    return state
  }
  const follow = (state: State<R>, id: number): State<R> | null => {
    const next = stateOf([...(state.byWord.get(id) ?? []), ...state.byAny])
    state.next.set(id, next)
    return next
  }

  const starts = rules.map(({ phrase, rule }) => before(phrase, ending(rule)))
  const root = (): State<R> =>
    stateOf(starts) ?? { byWord: new Map(), byAny: [], rule: undefined, next: new Map() }
  let start: State<R> | undefined

  return {
    longestAt(words, at) {
      const first = words[at]
      start ??= root()
      // Most words start no phrase.
      if (first === undefined || start.next.get(first.id) === null) return undefined
      let state: State<R> | null = start
      let longest: { rule: R; end: number } | undefined
      for (let place = at; place < words.length; place++) {
        const word = words[place]
        if (word === undefined || word.clause !== first.clause) break
        if (word.line !== first.line && place > at + 1) break
        const known: State<R> | null | undefined = state.next.get(word.id)
        state = known === undefined ? follow(state, word.id) : known
        if (state === null) break
        if (state.rule !== undefined) longest = { rule: state.rule, end: place + 1 }
      }
      if (states.size > maxStates) {
        states.clear()
        start = undefined
      }
      return longest
    },
  }
}
