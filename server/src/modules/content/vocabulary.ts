/** The words of the rules with their ids, and a trie of their letters for finding words that are spaced out. */
export interface Vocabulary {
  ids: ReadonlyMap<string, number>
  /** 26 branches per node. Node 0 is the root. */
  branches: Int32Array
  /** The id of the word that ends at each node, or 0. */
  ends: Int32Array
}

export function vocabularyOf(words: Iterable<string>): Vocabulary {
  const ids = new Map([...new Set(words)].map((word, i) => [word, i + 1]))
  const size = 1 + [...ids.keys()].reduce((sum, { length }) => sum + length, 0)
  const [branches, ends] = [new Int32Array(26 * size), new Int32Array(size)]
  let nodes = 1
  for (const [word, id] of ids) {
    if (!/^[a-z]{2,}$/.test(word)) continue
    let node = 0
    for (let i = 0; i < word.length; i++) {
      const branch = 26 * node + word.charCodeAt(i) - firstLetter
      if (branches[branch] === 0) branches[branch] = nodes++
      node = branches[branch] ?? 0
    }
    ends[node] = id
  }
  return { ids, branches, ends }
}

const firstLetter = 97

/** The node that a letter leads to; 0 if no word of the rules continues with it. */
export function follow({ branches }: Vocabulary, node: number, code: number): number {
  const branch = code - firstLetter
  return branch >= 0 && branch < 26 ? (branches[26 * node + branch] ?? 0) : 0
}
