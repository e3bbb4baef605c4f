import { broadFairHousing, broadProhibited } from './broad-rules.ts'
import type { Category, ContentCategory, ContentCode, ProhibitedCategory } from './categories.ts'
import { type Decliner, declinersOf, wordsOfDeclinations } from './declined.ts'
import { groupRules } from './fair-housing-groups.ts'
import { fairHousingRules, seniorHousingRules } from './fair-housing-rules.ts'
import { unsupported } from './figures/unsupported.ts'
import { foldedWords } from './folding.ts'
import { type PhraseMatcher, matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import { allowedPhrases, prohibitedRules } from './prohibited-rules.ts'
import { namesIn, wordsOfNames } from './names.ts'
import { harmless, nearby } from './rules/harmless.ts'
import { echoes, equality, welcomes } from './rules/welcomes.ts'
import { protects } from './state-categories.ts'
import { vocabularyOf } from './vocabulary.ts'
import { type Word, wordsOf } from './words-of.ts'

/** The version of the rules. A change of a rule is a new version. */
export const contentRuleSet = '2026-11-24.1'

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
   * Of a text that was generated here: all that the model was given, such as the listing, what people of the workspace wrote, and
   * today's date, each as text. Without it, no figure is doubted.
   */
  facts?: readonly string[] | undefined
  /** What the contact and the AI wrote before, which makes no fact: its prices may be repeated as a budget, its rates and links never. */
  said?: readonly string[] | undefined
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
  const { facts, said = [], topics = [] } = context
  const words = readWords(text)
  const seniorHousing = context.seniorHousing === true || (facts ?? []).some((fact) => senior.test(fact))
  const found = [
    ...byRules(text, words, fairHousingRuleSet, { ...context, seniorHousing }),
    ...byRules(text, words, prohibitedRuleSet, context),
    ...(topics.length > 0 ? ownTopics(text, words, topics) : []),
    ...(facts === undefined ? [] : unsupported(text, facts, said)),
  ]
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end).slice(0, maxFindings)
}

/** The persona's topics, but for those that the text only declines to speak of. */
function ownTopics(text: string, { all }: ReadWords, topics: readonly string[]): ContentFinding[] {
  const found = findTopics(text, topics)
  const declined = found.length > 0 ? prohibitedRuleSet.decliner(all) : undefined
  if (declined === undefined) return found
  let at = 0
  return found.filter(({ start }) => {
    while ((all[at]?.end ?? text.length) <= start) at++
    return declined[at] !== 1
  })
}

/** Only what fair housing law forbids in an advertisement: a preference, a limit, or steering. */
export function scanFairHousing(text: string, context: ContentContext = {}): ContentFinding[] {
  const words = readWords(text)
  const all = without(words.all, fairHousingRuleSet.decliner(words.all))
  return findingsOf(text, all, words.harmless, fairHousingRuleSet.exact, context).slice(0, maxFindings)
}

interface Rule {
  /** Undefined: the phrase is allowed, whatever it has in it. */
  code?: ContentCode
  category?: Category | ProhibitedCategory
  ofSeniorHousing?: boolean
}

/** What no rule means; the same, unless “no” or “only” stands before it; and what only the broad rules pass over. */
type Harmless = 'always' | 'unless denied' | 'unless refused' | 'nearby'

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
const harmlessPhrases = [
  ...phrasesOf<Harmless>([...equality, ...harmless], 'always'),
  ...phrasesOf<Harmless>(welcomes, 'unless denied'),
  ...phrasesOf<Harmless>(echoes, 'unless refused'),
  ...phrasesOf<Harmless>(nearby, 'nearby'),
]

const denials = 'no not isnt arent dont doesnt wont cant cannot wouldnt couldnt shouldnt never only neither nor unless without since because given sin ni solo nunca tampoco'.split(' ')

const vocabulary = vocabularyOf([
  ...[
    ...fairHousingPhrases,
    ...prohibitedPhrases,
    ...broadFairHousingPhrases,
    ...broadProhibitedPhrases,
    ...harmlessPhrases,
  ].flatMap(({ phrase }) => wordsIn(phrase)),
  ...wordsOfDeclinations,
  ...wordsOfNames,
  ...denials,
])
const idOf = (word: string): number => vocabulary.ids.get(word) ?? 0
/** Rules of one code: phrases as they stand, and classes of words near each other, where nothing harmless has them. */
interface RuleSet {
  exact: PhraseMatcher<Rule>
  broad: PhraseMatcher<Rule>
  decliner: Decliner
  /** Questions state none of it; the exact ones find it there, too. */
  passesQuestions: boolean
}

const decliners = declinersOf(idOf)
const fairHousingRuleSet: RuleSet = {
  exact: matcherOf(fairHousingPhrases, idOf),
  broad: matcherOf(broadFairHousingPhrases, idOf, 'line'),
  decliner: decliners.housing,
  passesQuestions: false,
}
const prohibitedRuleSet: RuleSet = {
  exact: matcherOf(prohibitedPhrases, idOf),
  broad: matcherOf(broadProhibitedPhrases, idOf, 'line'),
  decliner: decliners.advice,
  passesQuestions: true,
}
const notHarmful = matcherOf(harmlessPhrases, idOf)
const markNames = namesIn(idOf)
const denying = new Set(denials.map(idOf))

/** What the rules of a code find, except where a text only names what it declines to speak of. Most texts have nothing of either. */
function byRules(
  text: string,
  words: ReadWords,
  rules: RuleSet,
  context: ContentContext,
  most = maxFindings,
): readonly ContentFinding[] {
  const { all, plain, rest, harmless: spared } = words
  const found = find(text, words, rules, context, most).toSorted((one, other) => one.start - other.start)
  const left: ContentFinding[] = []
  for (let at = 0, next = 0; next < found.length;) {
    // The clause of the next finding, and what else is found in it.
    while ((all[at] as Word).end <= (found[next] as ContentFinding).start) at++
    let [from, to] = [at, at + 1]
    while (all[from - 1]?.clause === all[at]?.clause) from--
    while (all[to]?.clause === all[at]?.clause) to++
    const last = (all[to - 1] as Word).end
    const own = next
    while ((found[next]?.start ?? last) < last) next++
    const clause = all.slice(from, to)
    const declined = rules.decliner(clause)
    const isPassed = rules.passesQuestions && text.slice(last, all[to]?.start).includes('?')
    if (declined === undefined && !isPassed) left.push(...found.slice(own, next))
    else {
      const passed = isPassed ? new Uint8Array(to - from).fill(1) : declined
      const read = { plain: without(plain.slice(from, to), passed), rest: without(rest.slice(from, to), passed) }
      left.push(...find(text, { ...read, all: clause, harmless: spared.subarray(from, to) }, rules, context))
    }
    at = to
  }
  // Where much of it is declined there may be more.
  const isAll = left.length >= most || found.length < most
  return isAll ? left : byRules(text, words, rules, context, Number.POSITIVE_INFINITY)
}

function find(
  text: string,
  { plain, rest, harmless: spared }: ReadWords,
  { exact, broad }: Pick<RuleSet, 'exact' | 'broad'>,
  context: ContentContext,
  most?: number,
): ContentFinding[] {
  const found = findingsOf(text, plain, spared, exact, context, most)
  let next = 0
  for (const one of findingsOf(text, rest, spared, broad, context, most)) {
    while (next < found.length && (found[next] as ContentFinding).end <= one.start) next++
    if (next === found.length || (found[next] as ContentFinding).start >= one.end) found.push(one)
  }
  return found
}

/** The words, those that are passed over as if no rule had them. */
const without = (words: readonly Word[], passed: Uint8Array | undefined): readonly Word[] =>
  passed === undefined ? words : words.map((word, at) => (passed[at] === 1 ? { ...word, id: 0 } : word))

/** The words of a text, and what is known of them. */
interface ReadWords {
  all: readonly Word[]
  /** The same, those that are harmless as if no rule had them. */
  plain: readonly Word[]
  /** The same, those of what is nearby, too. */
  rest: readonly Word[]
  /** 1: no rule means the word here. */
  harmless: Uint8Array
}

function readWords(text: string): ReadWords {
  const all = wordsOf(text, vocabulary)
  const spared = new Uint8Array(all.length)
  let rest: Word[] | undefined
  const pass = (at: number, isHarmless: boolean) => {
    rest ??= [...all]
    rest[at] = { ...(all[at] as Word), id: 0 }
    if (isHarmless) spared[at] = 1
  }
  for (let at = 0; at < all.length; at++) {
    const found = notHarmful.longestAt(all, at)
    if (found === undefined || isSaid(all, at, found.rule)) continue
    for (; at < found.end; at++) pass(at, found.rule !== 'nearby')
    at--
  }
  markNames(text, all, (at) => pass(at, true))
  const plain = rest === undefined ? all : all.map((word, at) => (spared[at] === 1 ? { ...word, id: 0 } : word))
  return { all, plain, rest: rest ?? all, harmless: spared }
}

/** So many words around what is read over may deny it. */
const mostAround = 25

/** Whether it is said all the same: one of the two words before it denies it, or any of its clause. */
function isSaid(words: readonly Word[], at: number, rule: Harmless): boolean {
  const clause = words[at]?.clause
  const denies = (one: number) => words[one]?.clause === clause && denying.has(words[one]?.id ?? 0)
  if (rule === 'unless denied') return denies(at - 1) || denies(at - 2)
  if (rule !== 'unless refused') return false
  for (let one = at - mostAround; one < at + mostAround; one++) if (denies(one)) return true
  return false
}

function findingsOf(
  text: string,
  words: readonly Word[],
  spared: Uint8Array,
  matcher: PhraseMatcher<Rule>,
  { seniorHousing = false, state }: ContentContext,
  most = Number.POSITIVE_INFINITY,
): ContentFinding[] {
  const findings: ContentFinding[] = []
  for (let at = 0; at < words.length && findings.length < most; at++) {
    const found = matcher.longestAt(words, at)
    if (found === undefined) continue
    const { code, category, ofSeniorHousing = false } = found.rule
    const [first, last] = [words[at], words[found.end - 1]]
    const isOfSeniors =
      ofSeniorHousing || (category === 'age' && first && last && senior.test(text.slice(first.start, last.end)))
    const isExempt = (isOfSeniors && seniorHousing) || (category !== undefined && !protects(state, category))
    const isHarmless = spared.subarray(at, found.end).every((one) => one === 1)
    at = found.end - 1
    if (isExempt || isHarmless || code === undefined || category === undefined || !first || !last) continue
    const { start } = first
    findings.push({ code, category, text: text.slice(start, last.end), start, end: last.end })
  }
  return findings
}

/** Housing for older persons, as a fact or a listing has it. */
const senior =
  /\b(?:55|60|62|65) ?(?:\+|plus|and (?:over|older|up|better)|or (?:over|older|better)|(?:anos )?o mas)|\bage[- ](?:restricted|qualified)|\b(?:active adult|senior living|senior housing|older persons)|\bmayores de (?:55|60|62)/i

/** The persona's own topics, as whole words, in the plural too, in any form of case, accents and disguise. */
function findTopics(text: string, topics: readonly string[]): ContentFinding[] {
  const key = topics.join('\n')
  const known = topicRules.get(key) ?? compileTopics(topics)
  if (topicRules.size > maxPersonas) topicRules.clear()
  topicRules.set(key, known)
  const words = wordsOf(text, known.vocabulary)
  const none = new Uint8Array(words.length)
  return findingsOf(text, words, none, known.matcher, {})
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
