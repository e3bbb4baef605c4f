import { expect, test } from 'vitest'
import { readCases } from '#test/data/read-cases.ts'
import { classifyInbound } from './classify-inbound.ts'
import { reactionIn } from './reaction.ts'

interface Vector {
  kind: string
  title: string
  input: { text: string; opted_out: boolean }
  expect: object
}

test.each(
  readCases<Vector>('vectors')
    .filter(({ kind }) => kind === 'classify_inbound')
    .map((vector) => [vector.title, vector] as const),
)('%s', (_title, { input, expect: expected }) => {
  expect(classifyInbound(input.text, { optedOut: input.opted_out })).toEqual(expected)
})

test.each([
  ["don't contact me", true],
  ['Do not call me again', true],
  ['stop calling', true],
  ['leave me alone', true],
  ['I do not want to be contacted', true],
  ['put me on your do not call list', true],
  ['no me llamen', true],
  ['STOP', undefined],
  ["don't text me", undefined],
  ['stop texting me', undefined],
  ['no more texts', undefined],
  ['take me off your list', undefined],
])('%j opts out; noContact is %s', (text, noContact) => {
  const classified = classifyInbound(text, { optedOut: false })
  expect([classified.action, classified.noContact]).toEqual(['opt_out', noContact])
})

test.each([
  ["Don't call me before 5", 'review'],
  ["please don't text me while I'm at work", 'review'],
  ['Do not call today, I am traveling', 'review'],
  ['Never call me in the morning', 'review'],
  ["don't call me until Monday", 'review'],
  ["Don't call me before 5. Actually, stop texting me", 'opt_out'],
  ["Don't call me today or ever again, take me off your list", 'opt_out'],
  ["don't call me anymore", 'opt_out'],
  ["don't ever text me again", 'opt_out'],
])('%j is classified as %s', (text, action) => {
  expect(classifyInbound(text, { optedOut: false }).action).toBe(action)
})

test.each(["don't stop calling", 'call me', 'stop by and call me', 'No calls after 6, please'])(
  '%j is not an opt-out',
  (text) => expect(classifyInbound(text, { optedOut: false })).toEqual({ action: 'none', match: null }),
)

test.each([
  ['Your text says reply STOP', 'review'],
  ['The message said to text STOP', 'review'],
  ['it says reply STOP to opt out', 'review'],
  ['Su mensaje dice responda ALTO', 'review'],
  ['Your text says reply STOP. STOP', 'opt_out'],
  ['It says reply STOP so take me off your list', 'opt_out'],
  ["don't call, text", 'review'],
  ["Don't call me, text me", 'review'],
  ['dont text call me', 'review'],
  ['no llame, escriba', 'review'],
  ["don't call, text or email me", 'opt_out'],
  ["don't text, don't call", 'opt_out'],
])('%j is classified as %s: a report of ours, and a preference, are no opt-out', (text, action) => {
  expect(classifyInbound(text, { optedOut: false }).action).toBe(action)
})

test.each([
  'STOPSTOPSTOP',
  'stopstop',
  'StopStopStop!!',
  'stopplease',
  'stoptextingme',
  'BASTABASTA',
  'unsubscribeunsubscribe',
  'STOP Lakeside Realty',
  'Stop Lakeside Realty',
  'STOP, Dana Reed',
  'Unsubscribe Harbor Homes LLC',
  'STOP LAKESIDE REALTY',
  'stop lakeside realty group',
  'ALTO Inmobiliaria Lago',
  'bájame de tu lista',
  'bajeme de su lista por favor',
  'Bájenme de esa lista',
  'táchenme de su lista',
])('%j is an opt-out: repeated, joined, with our name, or with the person in the verb', (text) => {
  expect(classifyInbound(text, { optedOut: false }).action).toBe('opt_out')
})

test.each([
  'STOP SIGN DOWN',
  'Stop Sign Is Missing',
  'Stop By Oak Street',
  'stop oak street',
  'La planta baja de tu lista',
])('%j is no opt-out', (text) =>
  expect(classifyInbound(text, { optedOut: false }).action).not.toBe('opt_out'),
)

interface Sentence {
  text: string
  expected: string
  reaction?: boolean
  /** What we sent to the author. */
  ours?: string[]
}

/** The share of opt-outs in a set that are missed, and of other sentences that count as one. */
function sharesOf(set: string) {
  const cases = readCases<Sentence>(set).map((one) => ({
    ...one,
    found: classifyInbound(one.text, { optedOut: false, ours: one.ours ?? [] }).action,
  }))
  const [optOuts, others] = [true, false].map((is) =>
    cases.filter(({ expected }) => (expected === 'opt_out') === is),
  )
  const missed = optOuts?.filter(({ found }) => found !== 'opt_out') ?? []
  const wrong = others?.filter(({ found }) => found === 'opt_out') ?? []
  return {
    missed: missed.length / (optOuts?.length ?? 1),
    wrong: wrong.length / (others?.length ?? 1),
    texts: JSON.stringify([missed, wrong]),
  }
}

/**
 * Sets by people who had not seen the rules, with their labels, and one by the author of the rules (`inbound-kinds`). The rules
 * have since been taught by all of them, so the limits keep what is reached and do not measure what is new. When first read,
 * 7 % of the opt-outs in `inbound-h` and 17 % in `inbound-i` were missed, and 2 % of the others were false. The aim for new
 * sentences is 1 % and 2 %: not reached.
 */
test.each([
  ['inbound-a', 1, 2],
  ['inbound-b', 1, 2],
  ['inbound-c', 2, 1],
  ['inbound-d', 1, 1],
  ['inbound-e', 1, 2],
  ['inbound-f', 1, 1],
  ['inbound-g', 3, 1],
  ['inbound-h', 1, 1],
  ['inbound-i', 2, 2],
  ['inbound-kinds', 1, 2],
])('of the sentences in %s, at most %d%% are missed and %d%% false', (set, mostMissed, mostWrong) => {
  const { missed, wrong, texts } = sharesOf(set)
  expect(missed * 100, texts).toBeLessThanOrEqual(mostMissed)
  expect(wrong * 100, texts).toBeLessThanOrEqual(mostWrong)
})

test('each of our own sentences asks for what it is labeled with', () => {
  const wrong = readCases<Sentence>('inbound-own').flatMap(({ text, expected }) => {
    const { action } = classifyInbound(text, { optedOut: false })
    return action === expected ? [] : [{ text, expected, action }]
  })
  expect(wrong).toEqual([])
})

test('the reactions of phones are reactions, and nothing else is', () => {
  for (const { text, reaction = false } of readCases<Sentence>('inbound-own'))
    expect([text, reactionIn(text) !== undefined]).toEqual([text, reaction])
})

test.each([
  ['Liked “See you”', '👍', false],
  ['Emphasised “See you”', '‼️', false],
  ['Laughed at “See you”', '😂', false],
  ['Removed a like from “See you”', '👍', true],
  ['Removed a heart from “See you”', '❤️', true],
  ['Removed a dislike from “See you”', '👎', true],
  ['Removed a laugh from “See you”', '😂', true],
  ['Removed an exclamation mark from “See you”', '‼️', true],
  ['Removed a question mark from “See you”', '❓', true],
  ['Reacted 🎉 to “See you”', '🎉', false],
  ['Removed a 🎉 from “See you”', '🎉', true],
  ['🎉 to “See you”', '🎉', false],
  ['Ana Ruiz liked “See you”', '👍', false],
  ['A Ana le gustó “Nos vemos”', '👍', false],
  ['Se rio de “Nos vemos”', '😂', false],
  ['Hizo hincapié en “Nos vemos”', '‼️', false],
  ['Quitó un corazón de “Nos vemos”', '❤️', true],
  ['Eliminó un signo de interrogación de “Nos vemos”', '❓', true],
  ['Quitó la reacción ❤️ a “Nos vemos”', '❤️', true],
  ['A supprimé un cœur de « À samedi »', '❤️', true],
  ['Hat „Bis Samstag“ hervorgehoben', '‼️', false],
  ['Hat ein Herz von „Bis Samstag“ entfernt', '❤️', true],
  ['Removeu um coração de “Até sábado”', '❤️', true],
  ['Ha rimosso un cuore da “A sabato”', '❤️', true],
  ['喜爱了“星期六见”', '❤️', false],
  ['“Bis Samstag” を強調しました', '‼️', false],
  ['Нравится «До субботы»', '👍', false],
  ['Liked 2 images', '👍', false],
  ['Loved “See you on Saturday at noon at the', '❤️', false],
  ["Liked 'See you'", '👍', false],
])('%j is a reaction', (text, emoji, removed) => {
  expect(reactionIn(text)).toEqual({ emoji, removed })
})

test.each([
  'I loved “Alder Court”',
  'We liked the “white” kitchen',
  'Please stop “texting” me',
  'My wife loved “Alder Court”',
  'Removed “STOP” from my phone, thanks',
  'STOP “texting”',
])('%j is no reaction', (text) => expect(reactionIn(text)).toBeUndefined())

const ours = [
  'Hi Jane, the open house is Saturday at noon. Reply STOP to opt out.',
  'You get this email because you asked us for listings. Unsubscribe: https://gable.example/u/1\n48 Alder Court, Chicago, IL 60614',
  'Hola Ana, la casa sigue disponible. Responda ALTO para no recibir más mensajes.',
  'If you no longer want to receive our texts, tell us to take you off the list.',
]

test.each([
  ['Sounds good! Hi Jane, the open house is Saturday at noon. Reply STOP to opt out.', 'none'],
  ['hi jane the open house is saturday at noon reply stop to opt out', 'none'],
  ['Reply STOP to opt out', 'none'],
  [
    'See you there\n\nYou get this email because you asked us for listings.\nUnsubscribe: <https://gable.example/u/1>\n48 Alder Court',
    'none',
  ],
  ['Sí\n\nHola Ana, la casa sigue disponible.\nResponda ALTO para no\nrecibir más mensajes.', 'none'],
  ['Yes please. If you no longer want to receive our texts, tell us to take you off the list', 'none'],
  ['What does “Reply STOP to opt out” mean?', 'review'],
  ['what happens if I reply stop to opt out', 'review'],
  ['I no longer want to receive our texts', 'opt_out'],
  ['STOP to opt out', 'opt_out'],
  ['STOP\n\nHi Jane, the open house is Saturday at noon. Reply STOP to opt out.', 'opt_out'],
  ['Hi Jane, the open house is Saturday at noon. Reply STOP to opt out. STOP', 'opt_out'],
  ['Reply STOP to opt out. Please take me off your list', 'opt_out'],
  ['STOP', 'opt_out'],
  ['opt out', 'opt_out'],
  ['take me off the list', 'opt_out'],
])('with our texts known, %j is %s: what quotes four words of ours is not the author’s', (text, action) => {
  expect(classifyInbound(text, { optedOut: false, ours }).action).toBe(action)
})

const more = [
  'If you are no longer interested in hearing from us, or do not wish to get listings by text, tell us.',
  'Msg & data rates apply. STOP to end all texts from us.',
]

test.each([
  ['STOP “Hi Jane, the open house is Saturday at noon. Reply STOP to opt out.”', 'opt_out'],
  ['“Hi Jane, the open house is Saturday at noon. Reply STOP to opt out.” STOP', 'opt_out'],
  ['STOP Hi Jane, the open house is Saturday at noon', 'opt_out'],
  ['Unsubscribe. You get this email because you asked us for listings', 'opt_out'],
  ['Basta. Hola Ana, la casa sigue disponible', 'opt_out'],
  ['no more messages from you', 'opt_out'],
  ['I should get no more messages from you', 'opt_out'],
  ['I am no longer interested in hearing from you', 'opt_out'],
  ['We are no longer interested in hearing from your office, thanks', 'opt_out'],
  ['No longer interested in hearing from you guys', 'opt_out'],
  ['I do not wish to get listings by text any more', 'opt_out'],
  ['If you are no longer interested in hearing from us', 'none'],
  ['STOP to cancel', 'opt_out'],
  ['“Hi Jane, the open house is Saturday at noon. Reply STOP to opt out.” STOP. I mean it', 'opt_out'],
  ['UNSUBSCRIBE here', 'opt_out'],
  ['STOP to end all texts from us', 'review'],
  ['Yes! Hi Jane, the open house is Saturday at noon.', 'none'],
])(
  'with our texts known, %j is %s: words of the author’s stand beside ours, or share some with us',
  (text, action) => {
    expect(classifyInbound(text, { optedOut: false, ours: [...ours, ...more] }).action).toBe(action)
  },
)

test.each([
  'You have the wrong number stop texting me',
  'tell Sam to stop texting me',
  'Have Sam stop texting me',
  'I told the last guy to stop texting me',
  'My mom does not want your texts',
  'my husband does not want to be contacted',
  'STOP 3125550123',
  'Remove 312-555-0123',
  'Remove (312) 555-0123 from your list',
  'do not text 312-555-0123',
  '"STOP" 👍',
  '🛑 "STOP"',
  '“STOP” 🙏',
  '"unsubscribe" 🙏',
  'deja de marcarme',
  'dejen de marcar',
])('%j is an opt-out: the person who is named, the number, or the emoji does not matter', (text) => {
  expect(classifyInbound(text, { optedOut: false }).action).toBe('opt_out')
})
