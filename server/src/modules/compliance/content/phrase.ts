/** A part of a phrase: a word, any words, one of several, or all of several in their order. */
type Part =
  | { word: string }
  | { gap: number }
  | { alternatives: readonly (readonly Part[])[]; optional: boolean }

/**
 * Reads a phrase: `not (ok|quite fine) for [the] ~2 kids`. In parentheses are alternatives, in brackets alternatives that may be
 * missing, each of one word or several, also with parentheses of their own; `~2` stands for up to two words of any kind.
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

export const wordsIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if ('word' in part) return [part.word]
    return 'gap' in part ? [] : part.alternatives.flatMap(wordsIn)
  })

/** A place within phrases, before the words that may follow there. */
interface Place<R> {
  id: number
  byWord: Map<number, Place<R>[]>
  byAny: Place<R>[]
  aside: Place<R>[]
  rule?: R
}

/** All places that the words so far lead to, and what follows from each next word; null: no phrase goes on. */
interface State<R> {
  /** Where each word leads, and where any other does. */
  byWord: ReadonlyMap<number, readonly Place<R>[]>
  byAny: readonly Place<R>[]
  rule: R | undefined
  next: Map<number, State<R> | null>
}

/** So many states are kept; then they are found again. */
const maxStates = 20_000

export interface PhraseMatcher<R> {
  /** The longest phrase that begins at a word, in its line, or of two words in its clause: its rule, and where it ends. */
  longestAt(
    words: readonly { id: number; clause: number; line: number }[],
    at: number,
  ): { rule: R; end: number } | undefined
}

/**
 * A matcher of many phrases at once. Each word is one step, whatever the number of phrases: their places are followed together,
 * and what was followed once is kept. Of two rules that end at the same word the first counts.
 */
export function matcherOf<R>(
  rules: readonly { phrase: readonly Part[]; rule: R }[],
  idOf: (word: string) => number,
): PhraseMatcher<R> {
  let placeCount = 0
  const newPlace = (): Place<R> => ({ id: placeCount++, byWord: new Map(), byAny: [], aside: [] })
  /** A place from which the parts lead to `target`. */
  const before = (parts: readonly Part[], target: Place<R>): Place<R> => {
    let place = target
    for (const part of parts.toReversed()) {
      const from = newPlace()
      if ('word' in part) from.byWord.set(idOf(part.word), [place])
      else if ('gap' in part) {
        let rest = place
        for (let left = part.gap; left > 0; left--) {
          const one = newPlace()
          one.byAny.push(rest)
          one.aside.push(place)
          rest = one
        }
        from.aside.push(rest)
      } else {
        from.aside.push(...part.alternatives.map((one) => before(one, place)))
        if (part.optional) from.aside.push(place)
      }
      place = from
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
    for (const place of places)
      for (const [id, targets] of place.byWord) byWord.set(id, [...(byWord.get(id) ?? []), ...targets])
    const state = {
      byWord,
      byAny: places.flatMap((place) => place.byAny),
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

  const starts = rules.map(({ phrase, rule }) => before(phrase, { ...newPlace(), rule }))
  const root = (): State<R> =>
    stateOf(starts) ?? { byWord: new Map(), byAny: [], rule: undefined, next: new Map() }
  let start = root()

  return {
    longestAt(words, at) {
      const first = words[at]
      // Most words begin nothing.
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
        start = root()
      }
      return longest
    },
  }
}
