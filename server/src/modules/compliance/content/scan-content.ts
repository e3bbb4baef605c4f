import { broadFairHousing, broadProhibited } from './broad-rules.ts'
import type { Category, ContentCategory, ContentCode, ProhibitedCategory } from './categories.ts'
import { declinations, turns, turnsAfterComma } from './declinations.ts'
import { groupRules } from './fair-housing-groups.ts'
import { fairHousingRules, seniorHousingRules } from './fair-housing-rules.ts'
import { unsupported } from './figures.ts'
import { foldedWords } from './folding.ts'
import { type PhraseMatcher, matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import { allowedPhrases, prohibitedRules } from './prohibited-rules.ts'
import { harmless, nearby } from './rules/harmless.ts'
import { protects } from './state-categories.ts'
import { type Word, vocabularyOf, wordsOf } from './words-of.ts'

/** The version of the rules. A change of a rule is a new version. */
export const contentRuleSet = '2026-11-23.2'

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
 * What a text says that an AI must not say to people who seek or sell housing. Pure, in the same time for each character whatever
 * the text. In the order in which they stand there, at most 50; two of the same code do not overlap.
 */
export function scanContent(text: string, context: ContentContext = {}): ContentFinding[] {
  const { facts, topics = [] } = context
  const words = readWords(text)
  const found = [
    ...byRules(text, words, words.declined, fairHousingRuleSet, context),
    ...byRules(text, words, withQuestions(text, words), prohibitedRuleSet, context),
    ...(topics.length > 0 ? findTopics(text, topics).filter(({ start }) => !isNamedOnly(words, start)) : []),
    ...(facts === undefined ? [] : unsupported(text, facts)),
  ]
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end).slice(0, maxFindings)
}

/** Whether the word at a place in the text is one that a rejection names. */
const isNamedOnly = ({ all, declined }: ReadWords, at: number): boolean =>
  all.some(({ start, end }, i) => declined[i] === 1 && start <= at && at < end)

/** Only what fair housing law forbids in an advertisement: a preference, a limit, or steering. */
export function scanFairHousing(text: string, context: ContentContext = {}): ContentFinding[] {
  const words = readWords(text)
  return findingsOf(text, words, words.declined, fairHousingRuleSet.exact, context)
}

interface Rule {
  /** Undefined: the phrase is allowed, whatever it has in it. */
  code?: ContentCode
  category?: Category | ProhibitedCategory
  ofSeniorHousing?: boolean
}

const phrasesOf = <R>(texts: readonly string[], rule: R) =>
  texts.map((text) => ({ phrase: parsePhrase(text), rule }))
const byCategory = (code: ContentCode, rules: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(rules).flatMap(([category, texts]) =>
    phrasesOf<Rule>(texts, { code, category: category as Category | ProhibitedCategory }),
  )

const allowed = phrasesOf<Rule>(allowedPhrases, {})
const fairHousingPhrases = [
  ...allowed,
  ...phrasesOf<Rule>(seniorHousingRules, {
    code: 'content_fair_housing',
    category: 'age',
    ofSeniorHousing: true,
  }),
  ...byCategory('content_fair_housing', fairHousingRules),
  // What else a family is counts before that it is one.
  ...Object.keys(fairHousingRules)
    .toReversed()
    .flatMap((category) =>
      phrasesOf<Rule>(groupRules(category as Category), {
        code: 'content_fair_housing',
        category: category as Category,
      }),
    ),
]
const prohibitedPhrases = [...allowed, ...byCategory('content_prohibited', prohibitedRules)]
const broadFairHousingPhrases = byCategory('content_fair_housing', broadFairHousing)
const broadProhibitedPhrases = byCategory('content_prohibited', broadProhibited)
const harmlessPhrases = [...phrasesOf(harmless, true), ...phrasesOf(nearby, false)]
const declinationPhrases = phrasesOf(declinations, true)

const vocabulary = vocabularyOf([
  ...[
    ...fairHousingPhrases,
    ...prohibitedPhrases,
    ...broadFairHousingPhrases,
    ...broadProhibitedPhrases,
    ...harmlessPhrases,
    ...declinationPhrases,
  ].flatMap(({ phrase }) => wordsIn(phrase)),
  ...turns,
  ...turnsAfterComma,
])
const idOf = (word: string): number => vocabulary.ids.get(word) ?? 0
/** Rules of one code: phrases as they stand, and classes of words near each other, where nothing harmless has them. */
interface RuleSet {
  exact: PhraseMatcher<Rule>
  broad: PhraseMatcher<Rule>
}

const fairHousingRuleSet: RuleSet = {
  exact: matcherOf(fairHousingPhrases, idOf),
  broad: matcherOf(broadFairHousingPhrases, idOf),
}
const prohibitedRuleSet: RuleSet = {
  exact: matcherOf(prohibitedPhrases, idOf),
  broad: matcherOf(broadProhibitedPhrases, idOf),
}
/** What no rule means, and, false, what only the broad ones pass over. */
const notHarmful = matcherOf(harmlessPhrases, idOf)
const declining = matcherOf(declinationPhrases, idOf)
const turning = new Set([...turns].map(idOf))
const turningAfterComma = new Set([...turnsAfterComma].map(idOf))

/**
 * The words of each part of a sentence that rejects to speak of something: it names it, and says nothing of it. A part ends with
 * the sentence, with a word such as “but”, and where a sentence of its own follows a comma.
 */
function declinedWords(words: readonly Word[]): Uint8Array {
  const declined = new Uint8Array(words.length)
  let from = 0
  let isDeclined = false
  for (let at = 0; at <= words.length; at++) {
    const word = words[at]
    const ends =
      word === undefined ||
      (at > 0 && word.clause !== words[at - 1]?.clause) ||
      turning.has(word.id) ||
      (word.afterComma && turningAfterComma.has(word.id))
    if (ends) {
      if (isDeclined) declined.fill(1, from, at)
      from = at
      isDeclined = false
    }
    if (word !== undefined && !isDeclined) isDeclined = declining.longestAt(words, at) !== undefined
  }
  return declined
}

/** What the rules of a code find. `passed`: words that the broad rules pass over. */
function byRules(
  text: string,
  words: ReadWords,
  passed: Uint8Array,
  { exact, broad }: RuleSet,
  context: ContentContext,
): ContentFinding[] {
  const found = findingsOf(text, words, words.declined, exact, context)
  const more = findingsOf(text, { ...words, all: words.rest }, passed, broad, context)
  let next = 0
  for (const one of more) {
    while (next < found.length && (found[next] as ContentFinding).end <= one.start) next++
    if (next === found.length || (found[next] as ContentFinding).start >= one.end) found.push(one)
  }
  return found
}

/** The words of a text, and what is known of them. */
interface ReadWords {
  all: readonly Word[]
  /** The same, those that are harmless as if no rule had them. */
  rest: readonly Word[]
  /** 1: no rule means the word here. */
  harmless: Uint8Array
  /** 1: the word is in what declines to speak of something. */
  declined: Uint8Array
}

function readWords(text: string): ReadWords {
  const all = wordsOf(text, vocabulary)
  const declined = declinedWords(all)
  const spared = new Uint8Array(all.length)
  let rest: Word[] | undefined
  for (let at = 0; at < all.length; at++) {
    const found = notHarmful.longestAt(all, at)
    if (found === undefined) continue
    rest ??= [...all]
    for (; at < found.end; at++) {
      rest[at] = { ...(all[at] as Word), id: 0 }
      if (found.rule) spared[at] = 1
    }
    at--
  }
  return { all, rest: rest ?? all, harmless: spared, declined }
}

/** The same words and those of questions. */
function withQuestions(text: string, { all, declined }: ReadWords): Uint8Array {
  const passed = declined.slice()
  for (let from = 0, at = 1; at <= all.length; at++) {
    const last = all[at - 1]
    if (last === undefined || all[at]?.clause === last.clause) continue
    if (text.slice(last.end, all[at]?.start).includes('?')) passed.fill(1, from, at)
    from = at
  }
  return passed
}

function findingsOf(
  text: string,
  { all: words, harmless: spared }: Pick<ReadWords, 'all' | 'harmless'>,
  passed: Uint8Array,
  matcher: PhraseMatcher<Rule>,
  { seniorHousing = false, state }: ContentContext,
): ContentFinding[] {
  const findings: ContentFinding[] = []
  for (let at = 0; at < words.length && findings.length < maxFindings; at++) {
    if (passed[at] === 1) continue
    const found = matcher.longestAt(words, at)
    if (found === undefined) continue
    const { code, category, ofSeniorHousing = false } = found.rule
    const isExempt =
      (ofSeniorHousing && seniorHousing) || (category !== undefined && !protects(state, category))
    const [first, last] = [words[at], words[found.end - 1]]
    const isHarmless = spared.subarray(at, found.end).every((one) => one === 1)
    at = found.end - 1
    if (isExempt || isHarmless || code === undefined || category === undefined || !first || !last) continue
    const { start } = first
    findings.push({ code, category, text: text.slice(start, last.end), start, end: last.end })
  }
  return findings
}

/** The persona's own topics, as whole words, in the plural too, in any form of case, accents and disguise. */
function findTopics(text: string, topics: readonly string[]): ContentFinding[] {
  const key = topics.join('\n')
  const known = topicRules.get(key) ?? compileTopics(topics)
  if (topicRules.size > maxPersonas) topicRules.clear()
  topicRules.set(key, known)
  const words = wordsOf(text, known.vocabulary)
  const none = new Uint8Array(words.length)
  return findingsOf(text, { all: words, harmless: none }, none, known.matcher, {})
}

const maxPersonas = 200
const topicRules = new Map<string, ReturnType<typeof compileTopics>>()

function compileTopics(topics: readonly string[]) {
  const rule: Rule = { code: 'content_prohibited', category: 'topic' }
  const rules = topics.flatMap((topic) => {
    const own = foldedWords(topic)
    const last = own.pop()
    if (last === undefined) return []
    const stem = last.length > 4 ? last.replace(/(?:ies|es|s|y)$/, '') : last
    const forms = [last, ...['', 's', 'es', 'y', 'ies'].map((ending) => stem + ending)]
    return [{ phrase: parsePhrase([...own, `(${[...new Set(forms)].join('|')})`].join(' ')), rule }]
  })
  const own = vocabularyOf(rules.flatMap(({ phrase }) => wordsIn(phrase)))
  return { vocabulary: own, matcher: matcherOf(rules, (word) => own.ids.get(word) ?? 0) }
}
