import { type Decliner, declinersOf, wordsOfDeclinations } from './declined.ts'
import { unsupported } from './figures/unsupported.ts'
import type { Category, ContentCode, ContentFinding, ProhibitedCategory } from './finding.ts'
import { foldedWords } from './folding.ts'
import { passerOf, wordsOfPasser } from './harmless-words.ts'
import { type PhraseMatcher, matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import { fairHousing, prohibited, seniorHousing as ofSeniors } from './rules/rules.ts'
import { isOfSeniorHousing, namesSeniors } from './senior-housing.ts'
import { protects } from './state-categories.ts'
import { vocabularyOf } from './vocabulary.ts'
import type { Word } from './word.ts'
import { wordsOf } from './words-of.ts'

/** The version of the rules. Change it with every change to a rule. */
export const contentRuleSet = '2026-11-29.1'

/** What is known about a text. */
export interface ContentContext {
  /** Whether the text belongs to a listing for older persons, or is about one that says so. */
  seniorHousing?: boolean | undefined
  /**
   * For a generated text: everything that the model was given, as texts, such as the listing, what people in the workspace wrote, and
   * today's date. If undefined, figures are not checked.
   */
  facts?: readonly string[] | undefined
  /**
   * What the contact and the AI wrote before. It does not support facts. A text may repeat its prices as a budget, its days and hours as
   * the contact's own or in a question, and its addresses and phone numbers, but never its rates, links, sizes, or years, except the
   * number of rooms that the contact is looking for.
   */
  said?: readonly string[] | undefined
  /** What the persona must not discuss: words or short phrases. */
  topics?: readonly string[] | undefined
  /** The listing's state, as a two-letter code. State categories count only where that state protects them. */
  state?: string | undefined
}

const maxFindings = 50

/**
 * Finds what an AI must not say to people who seek or sell housing. Pure; takes linear time. Returns at most 50 findings, in their order
 * in the text. Findings of the same rule set do not overlap.
 */
export function scanContent(text: string, context: ContentContext = {}): ContentFinding[] {
  const { facts, said = [], topics = [] } = context
  const words = readWords(text)
  const seniorHousing = context.seniorHousing === true || isOfSeniorHousing(text, facts ?? [])
  const found = [
    ...byRules(text, words, ruleSets().fairHousingRuleSet, { ...context, seniorHousing }),
    ...byRules(text, words, ruleSets().prohibitedRuleSet, context),
    ...(topics.length > 0 ? ownTopics(text, words, topics) : []),
    ...(facts === undefined ? [] : unsupported(text, facts, said)),
  ]
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end).slice(0, maxFindings)
}

/** Finds the persona's topics, except those that the text only declines to discuss. */
function ownTopics(text: string, { all }: ReadWords, topics: readonly string[]): ContentFinding[] {
  const found = findTopics(text, topics)
  const declined = found.length > 0 ? ruleSets().prohibitedRuleSet.decliner(all) : undefined
  if (declined === undefined) return found
  let at = 0
  return found.filter(({ start }) => {
    while ((all[at]?.end ?? text.length) <= start) at++
    return declined[at] !== 1
  })
}

/** Finds only what fair housing law forbids in an advertisement: a preference, a limit, or steering. */
export const scanFairHousing = (text: string, context: ContentContext = {}): ContentFinding[] =>
  byRules(text, readWords(text), ruleSets().fairHousingRuleSet, context).slice(0, maxFindings)

interface Rule {
  code: ContentCode
  category: Category | ProhibitedCategory
  ofSeniorHousing?: boolean
}

const rulesOf = (code: ContentCode, rules: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(rules).flatMap(([category, texts]) =>
    texts.map((text) => ({
      phrase: parsePhrase(text),
      rule: { code, category: category as Category | ProhibitedCategory } as Rule,
    })),
  )

/** The rules of one code, and the finder of text that declines to discuss their topics. */
interface RuleSet {
  matcher: PhraseMatcher<Rule>
  decliner: Decliner
  /** Whether findings in questions are ignored. */
  passesQuestions: boolean
}

function compileRules() {
  const ofSeniorHousing = ofSeniors.map((text) => ({
    phrase: parsePhrase(text),
    rule: { code: 'content_fair_housing', category: 'age', ofSeniorHousing: true } satisfies Rule as Rule,
  }))
  const fairHousingPhrases = [...ofSeniorHousing, ...rulesOf('content_fair_housing', fairHousing)]
  const prohibitedPhrases = rulesOf('content_prohibited', prohibited)
  const vocabulary = vocabularyOf([
    ...[...fairHousingPhrases, ...prohibitedPhrases].flatMap(({ phrase }) => wordsIn(phrase)),
    ...wordsOfDeclinations,
    ...wordsOfPasser,
  ])
  const idOf = (word: string): number => vocabulary.ids.get(word) ?? 0
  const decliners = declinersOf(idOf)
  const fairHousingRuleSet: RuleSet = {
    matcher: matcherOf(fairHousingPhrases, idOf),
    decliner: decliners.housing,
    passesQuestions: false,
  }
  const prohibitedRuleSet: RuleSet = {
    matcher: matcherOf(prohibitedPhrases, idOf),
    decliner: decliners.advice,
    passesQuestions: true,
  }
  return { vocabulary, fairHousingRuleSet, prohibitedRuleSet, passHarmless: passerOf(idOf) }
}

let compiled: ReturnType<typeof compileRules> | undefined

/** The rules. They are compiled at the first scan, because a start would wait for that. */
const ruleSets = () => (compiled ??= compileRules())

/** Applies a rule set, but ignores what a text only names in order to decline it. Most texts have neither findings nor declinations. */
function byRules(
  text: string,
  words: ReadWords,
  ruleSet: RuleSet,
  context: ContentContext,
  most = maxFindings,
): readonly ContentFinding[] {
  const { all, rest } = words
  const found = findingsOf(text, rest, ruleSet.matcher, context, most)
  const left: ContentFinding[] = []
  for (let at = 0, next = 0; next < found.length;) {
    // The clause of the next finding, and any other findings in it.
    while ((all[at] as Word).end <= (found[next] as ContentFinding).start) at++
    let [from, to] = [at, at + 1]
    while (all[from - 1]?.clause === all[at]?.clause) from--
    while (all[to]?.clause === all[at]?.clause) to++
    const last = (all[to - 1] as Word).end
    const own = next
    while ((found[next]?.start ?? last) < last) next++
    const declined = ruleSet.decliner(all.slice(from, to))
    const isPassed = ruleSet.passesQuestions && text.slice(last, all[to]?.start).includes('?')
    if (declined === undefined && !isPassed) left.push(...found.slice(own, next))
    else if (!isPassed)
      left.push(...findingsOf(text, without(rest.slice(from, to), declined), ruleSet.matcher, context))
    at = to
  }
  // If many findings were declined, there may be more beyond the limit.
  const isAll = left.length >= most || found.length < most
  return isAll ? left : byRules(text, words, ruleSet, context, Number.POSITIVE_INFINITY)
}

/** Hides the passed words from the rules, by giving them the id 0. */
const without = (words: readonly Word[], passed: Uint8Array | undefined): readonly Word[] =>
  passed === undefined ? words : words.map((word, at) => (passed[at] === 1 ? { ...word, id: 0 } : word))

/** All words of a text, and the same with harmless words hidden from the rules. */
interface ReadWords {
  all: readonly Word[]
  rest: readonly Word[]
}

function readWords(text: string): ReadWords {
  const { vocabulary, passHarmless } = ruleSets()
  const all = wordsOf(text, vocabulary)
  return { all, rest: passHarmless(text, all) }
}

function findingsOf(
  text: string,
  words: readonly Word[],
  matcher: PhraseMatcher<Rule>,
  { seniorHousing = false, state }: ContentContext,
  most = Number.POSITIVE_INFINITY,
): ContentFinding[] {
  const findings: ContentFinding[] = []
  for (let at = 0; at < words.length && findings.length < most; at++) {
    const found = matcher.longestAt(words, at)
    if (found === undefined) continue
    const { code, category, ofSeniorHousing = false } = found.rule
    const [{ start }, { end }] = [words[at] as Word, words[found.end - 1] as Word]
    at = found.end - 1
    const own = text.slice(start, end)
    const isOfSeniors = ofSeniorHousing || (category === 'age' && namesSeniors(own))
    if ((isOfSeniors && seniorHousing) || !protects(state, category)) continue
    findings.push({ code, category, text: own, start, end })
  }
  return findings
}

/** Finds the persona's topics as whole words, singular or plural, regardless of case, accents, and disguise. */
function findTopics(text: string, topics: readonly string[]): ContentFinding[] {
  const key = topics.join('\n')
  const known = topicRules.get(key) ?? compileTopics(topics)
  if (topicRules.size > maxPersonas) topicRules.clear()
  topicRules.set(key, known)
  const words = wordsOf(text, known.vocabulary)
  return findingsOf(text, words, known.matcher, {})
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
