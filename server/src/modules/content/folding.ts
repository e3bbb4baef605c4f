/** Letters of other scripts and shapes that look like ASCII. Capitals that look different have their own entries: Ν is N, ν is v. */
const lookAlikes: Readonly<Record<string, string>> = {
  // Cyrillic
  ...pairs('аaвbсcԁdеeёeһhнhіiїiјjкkмmоoрpгrѕsтtуyхxԝwѵvпnьbӏlԛqҝkңhүyұyҽeѡwғfшwцuԍgиnяrҺhҫcҳx'),
  // Greek
  ...pairs('αaβbεeηnιiκkνvοoρpτtυuχxωwγyσsςsΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧxϹcϲcϳjϜfϝfͿjӨoθoϴo'),
  // Armenian, Coptic
  ...pairs('հhոnօoսuցgզqյjաwլlքpտmրnփoՍuՕoՏsՀhԼlՈnվyկyղnձdգqԳq'),
  ...pairs('ⲁaⲃbⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭxⲱwⲍz'),
  // Cherokee, Lisu
  ...pairs('ᎠdᎡrᎢtᎥiᎪaᎫjᎬeᎳwᎷmᎻhᎽyᏀgᏃzᏎ4ᏏbᏒrᏔwᏕsᏙvᏚsᏞlᏟcᏢpᏦkᏴbᎵpᎾoᎤo'),
  ...pairs('ꓐbꓑpꓒdꓓdꓔtꓖgꓗkꓙjꓚcꓜzꓝfꓟmꓠnꓡlꓢsꓣrꓦvꓧhꓪwꓫxꓬyꓮaꓰeꓲiꓳoꓴu'),
  // Small capitals, and letters with a stroke or a hook
  ...pairs('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'),
  ...pairs(
    'ɡgɑaıiȷjłløođdħhŧtƀbɓbƈcɗdɖdɛeɇeƒfɠgɦhɨiɩiɉjƙkɫlɭlɱmɲnɳnŋnƞnɔoɵoƥpɋqɍrɽrɾrʂsʃsƫtʈtʉuʊuʋvⱱvɯwƴyɏyʐzƶzəeǝe',
  ),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ӕ: 'ae',
}

function pairs(text: string): Record<string, string> {
  const letters = [...text]
  return Object.fromEntries(letters.flatMap((one, i) => (i % 2 === 0 ? [[one, letters[i + 1] ?? '']] : [])))
}

/** Where alphabets of boxed, circled, negative, and flag letters start. */
const alphabets = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]

const boxed = (code: number): string | undefined => {
  const first = alphabets.find((one) => code >= one && code < one + 26)
  return first === undefined ? undefined : String.fromCharCode(97 + code - first)
}

/** Letters that render as blanks. */
const blank = /[\u115f\u1160\u3164\uffa0]/

/** The ASCII digit for a digit of any script; undefined for anything else. Each script's digits are ten consecutive code points. */
export function digitOf(code: number): string | undefined {
  if (!digit.test(String.fromCodePoint(code))) return undefined
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

const digit = /\p{Nd}/u

/** Characters without width: soft hyphens, joiners, direction marks, and combining accents. */
const invisible = /^[\p{Cf}\p{M}]$/u

const mostKept = 4000

/** A cache of folded characters. */
const kept = new Map<number, string | null>()

/** Folds a non-ASCII character to letters and digits; empty if it is neither, null if it is invisible. */
export function folded(code: number): string | null {
  const known = kept.get(code)
  if (known !== undefined) return known
  const char = String.fromCodePoint(code)
  const bare = char.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const letters = boxed(code) ?? [...(blank.test(char) ? '' : bare)].map(letterOf).join('')
  const seen = invisible.test(char) ? null : letters
  if (kept.size >= mostKept) kept.clear()
  kept.set(code, seen)
  return seen
}

const letterOf = (char: string): string =>
  lookAlikes[char] ??
  digitOf(char.codePointAt(0) ?? 0) ??
  (lookAlikes[char.toLowerCase()] ?? char.toLowerCase()).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Signs and digits that stand for letters within a word. */
const leet: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** From this length on, a doubled letter may be a typo: `overpriiced`, but not `inn`. */
const shortestDoubled = 7

/** Returns the known word that a word is a disguise of: `k1ds`, `kiiids`, `k*ds`, and `kidz` are `kids`. */
export function undisguised(word: string, known: ReadonlyMap<string, number>): string {
  if (known.has(word)) return word
  const plain =
    /[0-9@$!]/.test(word) && /[a-z]/.test(word)
      ? word.replaceAll(/[0134579@$!]/g, (one) => leet[one] ?? one)
      : word
  if (known.has(plain)) return plain
  const long =
    plain === word ? plain : word.replaceAll('1', 'l').replaceAll(/[034579@$!]/g, (one) => leet[one] ?? one)
  if (known.has(long)) return long
  const likely = [
    plain.replaceAll(/(.)\1{2,}/g, '$1'),
    plain.replaceAll(/(.)\1{2,}/g, '$1$1'),
    ...(plain.length < shortestDoubled ? [] : [plain.replaceAll(/(.)\1+/g, '$1')]),
    plain.replace(/z$/, 's'),
    ...(/^[^*]+(?:\*[^*]+){1,2}$/.test(plain) ? [...'aeiou'].map((one) => plain.replaceAll('*', one)) : []),
  ].find((one) => known.has(one))
  return likely ?? word.replaceAll(/[@$*]/g, '')
}

/** The words of a text that does not disguise them, in the form that rules use. */
export const foldedWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? []
