/** Letters of other scripts and shapes that look like ours. Capitals of their own look: Ν is an N, and ν a v. */
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

/** Letters in boxes and circles, white on black, and those of flags: each begins an alphabet. */
const alphabets = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]

const boxed = (code: number): string | undefined => {
  const first = alphabets.find((one) => code >= one && code < one + 26)
  return first === undefined ? undefined : String.fromCharCode(97 + code - first)
}

/** Letters that show as a blank. */
const blank = /[\u115f\u1160\u3164\uffa0]/

/** The digit of ours that a digit of any script is: they stand in tens, one after the other. */
export function digitOf(code: number): string | undefined {
  if (!digit.test(String.fromCodePoint(code))) return undefined
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

const digit = /\p{Nd}/u

/** Of no width: soft hyphens, joiners, marks of direction, and accents that stand alone. */
const invisible = /^[\p{Cf}\p{M}]$/u

const mostKept = 4000

/** Characters that were folded before. */
const kept = new Map<number, string | null>()

/** A character beyond ASCII as letters and digits of ours: empty for one that is neither, null for one that is not seen. */
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

/** Signs that stand for letters within a word. */
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

/** From so many letters on a letter that is doubled may be a slip: `overpriiced`, but not `inn`. */
const shortestDoubled = 7

/** What a word reads as: `k1ds`, `kiiids`, `k*ds` and `kidz` are kids. */
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

/** The words of a text of ours, as rules have them. */
export const foldedWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? []
