/** Words outside the field's vocabulary, and what to write instead. */
const bannedWords: [word: string, instead: string][] = [
  ['whoever', 'name the actor, or "anyone who"'],
  ['somebody|nobody', 'name the actor: "a person", "a member", "no one else"'],
  ['anew', 'again'],
  ['tells?|told', 'report, publish, notify, state'],
  ['(what|that) is none', '"not a …", "invalid"'],
  ['house', 'runtime, codebase, product'],
  ['doors?', 'authentication'],
  ['desks?', 'settings request'],
  ['refus(e|es|ed|ing|al|als)', 'reject, rejection, error response'],
  ['walk(s|ed|ing)?', 'pagination, traverse'],
  ['bursts?', 'pipeline batch'],
  ['silence', 'response timeout'],
  ['trap(s|ped|ping)?', 'mail catcher, caught'],
  ['strangers?', 'unknown'],
  ['answer(s|ed|ing)?', 'return, response'],
  ['look(s|ed|ing)? after', 'manage'],
  ['e-mails?', 'email'],
  ['recognis\\w*', 'recogniz…'],
  ['organis\\w*', 'organiz…'],
  ['(favour|colour|behaviour|honour|neighbour)\\w*', '…or'],
  ['catalogues?', 'catalog'],
  ['centres?', 'center'],
  ['fates?', 'outcome, result'],
]

/** First words of names that say little, and the verbs to use. Each kind of lock has one verb. */
const softVerbs: [verb: string, instead: string][] = [
  ['tend|tends|tended|tending', 'process, maintain'],
  ['note|noted', 'record'],
  ['keep|keeps', 'retain, save, require'],
  ['carry', 'copy, retain'],
  ['hold|take|tryLock', 'lock, lockForShare, claim, consume'],
]

/** Where a banned word is right: the product's own nouns, names that others chose, and other meanings of a word. */
const allowed: [path: RegExp, phrase: RegExp][] = [
  [/^server\/test\/architecture\/words/, /.+/g],
  [/./, /open[ _+-]?houses?|the house on|GABLE_WALK/gi],
  [/./, /connection refused|ECONNREFUSED/g],
  [/^postgres\//, /nobody/g],
  // A call is answered or has no answer.
  [
    /^(server\/(openapi|migrations|schema|src|test)|sandbox|e2e|docs|bench\/calls)/,
    /no_answer|answered_at|(was|is|were) (not )?answered|answered (the|a) call/g,
  ],
  [
    /^(server\/(migrations\/0021_calls|src\/(modules\/calls|adapters\/(retell|twilio))|test\/calls)|sandbox|docs\/guides\/calls)/,
    /\banswer(s|ed|ing)?(At)?\b/gi,
  ],
  [/./, /passkey_refused/g],
  // OpenAI's member.
  [/^server\/src\/adapters\/openai\//, /\brefusal\b/g],
  // The sample program Desk, and names of routing rules in a guide.
  [
    /^(docs\/(guides|samples)|e2e\/browser)\//,
    /\bDesk\b|desk\.js|-s desk|com\.example\.desk|The desk, by day|whoever is fastest/g,
  ],
  // The field of a delivery attempt and of a passkey form, and DNS.
  [/^(e2e\/browser|server\/test\/(egress|held|people|settings|simulation))\//, /\banswer(?=: | [}\]])/g],
  [/^(server\/test\/egress\/name-server|e2e\/mail-servers\/dkim)/, /\bAnswer\b|\banswers(?=: )/g],
  [/^bench\/dataset\/names/, /Walk-in/g],
  [/^bin\/check$/, /^ *trap /g],
  // The member of a delivery attempt in the API, and the code that sets it.
  [
    /^server\/(openapi|src\/(kernel\/egress|modules\/(deliveries|settings\/deliveries|contacts\/erasure\.test)))/,
    /\banswer\b/g,
  ],
  // The column of a mail with the server's reply.
  [
    /^server\/(migrations\/0012_mail|src\/(modules\/mail|adapters\/smtp|cli\/mail-commands)|test\/mail)/,
    /\b(answer|sealAnswer|openAnswer)\b/g,
  ],
  // The field of a passkey form.
  [/^server\/src\/modules\/(account|people\/passkeys|pages\/assets\/passkeys)/, /\banswer\b/g],
  // Phrases that the fair housing rules find, and phrases that they must not find.
  [
    /^server\/src\/modules\/content\//,
    /\bnobody\b|neighbourhoods?|\bwalk(?:ing)?\b|\bwalking distance\b|\bhouse\b|\brefuse[sd]?\b|\banswer(ed)?\b|\bdoors?\b|\bneighbours\b|\bnext door\b|\btell(?:s)?\b|\btold\b|\banswers\b|\bsomebody\b|\bwhoever\b|\bburst\b|\brefusing\b/gi,
  ],
  // The words of the people who write to the product.
  [
    /^server\/src\/modules\/compliance\/words\/(vocabulary|endings|limits|removals|questions|other-requests|reaction-words|own-words|classify-inbound\.test)/,
    /\bnobody\b|\bsomebody\b|\btells?\b|\btold\b|\bhouses?\b|\banswer(ed|ing)?\b|\bstrangers\b|\bburn\b/gi,
  ],
  // A value of `when_blocked`.
  [/^server\/(src\/modules\/(messages|calls)|openapi)/, /["']refuse["']/g],
  // A member of the JSON that `gable suppressions import` prints.
  [/^server\/src\/modules\/compliance\/import-(suppressions|command\.test)/, /\brefused\b/g],
  // What MLS exports write.
  [/^server\/src\/modules\/listings\/import\/(headers|words)/, /\bhouse\b|\brefusal\b|\be-mail\b/gi],
  [/^server\/src\/modules\/people\/common-passwords/, / house /g],
  // Texts of agents in the demo data.
  [
    /^server\/src\/seed\//,
    /Relocation desk|two desks|the walk to the train|Walked through|No answer|answer fast/g,
  ],
]

/** A hold of messages or of recorded speech is a term of the product, and taking turns is not a lock. */
const allowedVerbs = /^(holdMessagesOf|holdQueued|takeTurns|takeSteps?|takeSnapshot|takeWhole)$/

/** Functions whose names begin with a soft verb: `server/src/app.ts: tendMails: write process, maintain`. */
export function softVerbsIn({ path, text }: { path: string; text: string }): string[] {
  const names = [...text.matchAll(/(?:function|const) ([a-z]\w*)(?= ?[(<]| = (?:async )?(?:\(|<|\w+ =>))/g)]
  return names.flatMap(([, name = '']) =>
    allowedVerbs.test(name)
      ? []
      : softVerbs
          .filter(([verb]) => new RegExp(`^(?:${verb})(?=[A-Z])`).test(name))
          .map(([, instead]) => `${path}: ${name}: write ${instead}`),
  )
}

const patterns = bannedWords.map(
  ([word, instead]) => [new RegExp(`\\b(?:${word})\\b`, 'gi'), instead] as const,
)

const anyWord = new RegExp(`\\b(?:${bannedWords.map(([word]) => word).join('|')})\\b`, 'i')

/** Splits identifiers into words. `toldOf` and `told_of` both contain the word `told`. */
const wordsOf = (line: string) => line.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ')

/** Banned words in a file: `server/src/app.ts:12: "anew": write again`. */
export function bannedWordsIn({ path, text }: { path: string; text: string }): string[] {
  const exceptions = allowed.filter(([where]) => where.test(path)).map(([, phrase]) => phrase)
  return text.split('\n').flatMap((line, index) => {
    if (!anyWord.test(wordsOf(line))) return []
    let rest = line
    for (const phrase of exceptions) rest = rest.replaceAll(phrase, '')
    const words = wordsOf(rest)
    return patterns.flatMap(([pattern, instead]) =>
      [...words.matchAll(pattern)].map(([word]) => `${path}:${index + 1}: "${word}": write ${instead}`),
    )
  })
}
