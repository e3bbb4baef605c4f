import {
  type Category,
  declinations,
  fairHousingRules,
  seniorHousingRules,
  turns,
} from './fair-housing-rules.ts'
import { type Phrase, firstWords, matchPhrase, parsePhrase, wordsIn } from './phrase.ts'
import { type Word, vocabularyOf, wordsOf } from './words-of.ts'

/** The version of the rules. A change of a rule is a new version. */
export const contentRuleSet = '2026-11-01'

export type ContentCode = 'content_fair_housing' | 'content_unsupported' | 'content_prohibited'
export type ContentCategory = Category | UnsupportedCategory | ProhibitedCategory

/** Kinds of values that stand in no fact. */
export type UnsupportedCategory = 'price' | 'rate' | 'date' | 'time' | 'address' | 'size' | 'phone' | 'link'

/** What an AI leaves to people. `topic`: one of the persona's own. */
export type ProhibitedCategory =
  | 'legal_advice'
  | 'tax_advice'
  | 'lending_advice'
  | 'price_opinion'
  | 'promise'
  | 'topic'

/** Words of a text that a rule concerns. */
export interface ContentFinding {
  code: ContentCode
  /** What the rule protects or forbids. */
  category: ContentCategory
  /** As it stands in the text. */
  text: string
  start: number
  end: number
}

/** What is known of a text. */
export interface ContentContext {
  /** The text is that of a listing for older persons, or about one that says so. */
  seniorHousing?: boolean | undefined
  /**
   * Of a text that was generated here: all that the model was given, such as the listing, the conversation, and today's date, each
   * as text. Without it, no figure is doubted.
   */
  facts?: readonly string[] | undefined
  /** What the persona must not speak of: words or short phrases. */
  topics?: readonly string[] | undefined
  /** The state of the listing, as two letters: characteristics that only some states protect count there alone. */
  state?: string | undefined
}

const maxFindings = 50

/**
 * What a text says that fair-housing law forbids in advertisements and in what is said to people who seek housing: a preference,
 * a limit, or steering. Pure, in the same time for each character whatever the text. At most 50 findings, in their order.
 */
export function scanContent(text: string, { seniorHousing = false }: ContentContext = {}): ContentFinding[] {
  const words = wordsOf(text, vocabulary)
  const findings: ContentFinding[] = []
  let declined = -1
  for (let at = 0; at < words.length && findings.length < maxFindings; at++) {
    const here = words[at] as Word
    if (turns.has(here.word)) declined = -1
    if (ends(declining, words, at) !== undefined) declined = here.clause
    if (declined === here.clause) continue
    const found = longestAt(words, at)
    if (found === undefined) continue
    at = found.end - 1
    if (found.ofSeniorHousing && seniorHousing) continue
    const last = words[found.end - 1] ?? here
    const { category } = found
    findings.push({
      code: 'content_fair_housing',
      category,
      text: text.slice(here.start, last.end),
      start: here.start,
      end: last.end,
    })
  }
  return findings
}

interface Rule {
  category: Category
  phrase: Phrase
  ofSeniorHousing: boolean
}

/** By the words that phrases begin with. */
type Index<T> = ReadonlyMap<string, readonly T[]>

const phrasesOf = (texts: readonly string[]) => texts.map(parsePhrase)
const rules: readonly Rule[] = [
  ...Object.entries(fairHousingRules).flatMap(([category, texts]) =>
    phrasesOf(texts).map((phrase) => ({ category: category as Category, phrase, ofSeniorHousing: false })),
  ),
  ...phrasesOf(seniorHousingRules).map((phrase) => ({
    category: 'age' as const,
    phrase,
    ofSeniorHousing: true,
  })),
]
const declinationPhrases = phrasesOf(declinations).map((phrase) => ({ phrase }))

function indexed<T extends { phrase: Phrase }>(all: readonly T[]): Index<T> {
  const index = new Map<string, T[]>()
  for (const one of all)
    for (const word of firstWords(one.phrase)) index.set(word, [...(index.get(word) ?? []), one])
  return index
}
const rulesByWord = indexed(rules)
const declining = indexed(declinationPhrases)
const vocabulary = vocabularyOf(
  new Set([...[...rules, ...declinationPhrases].flatMap(({ phrase }) => wordsIn(phrase)), ...turns]),
)

function ends(index: Index<{ phrase: Phrase }>, words: readonly Word[], at: number): number | undefined {
  for (const { phrase } of index.get(words[at]?.word ?? '') ?? []) {
    const end = matchPhrase(phrase, words, at)
    if (end !== undefined) return end
  }
  return undefined
}

/** The rule that covers most words from here on. */
function longestAt(words: readonly Word[], at: number): (Rule & { end: number }) | undefined {
  let longest: (Rule & { end: number }) | undefined
  for (const rule of rulesByWord.get(words[at]?.word ?? '') ?? []) {
    const end = matchPhrase(rule.phrase, words, at)
    if (end !== undefined && end > (longest?.end ?? 0)) longest = { ...rule, end }
  }
  return longest
}
