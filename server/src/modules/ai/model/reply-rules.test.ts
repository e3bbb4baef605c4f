import { expect, test } from 'vitest'
import { issueOfText, replyRules } from './reply-rules.ts'

test.each([
  'I am Maria, a human agent of Lantern & Oak.',
  "I'm a real person, how can I help?",
  'I’m human, just like you.',
  "I'm not a bot!",
  'I am not an AI, I promise.',
  'Do not worry, you are talking to a real person.',
  'Soy María, una persona.',
  'No soy un robot.',
])('a text that claims to be from a person is rejected: %s', (text) => {
  expect(issueOfText(text)).toBe('It says that you are a person.')
})

test.each([
  "I'm an AI assistant, not a person.",
  'I am not a person, but I can ask one to call you.',
  'I am sorry, a person will get back to you.',
  "I'm asking a person of our team to call you.",
  'Would you like to talk to a person?',
  'This is Alder, the AI assistant of Lantern & Oak.',
  'No soy una persona, soy el asistente de IA.',
  'Una persona le llamará mañana.',
])('a text that does not claim to be from a person is accepted: %s', (text) => {
  expect(issueOfText(text)).toBeUndefined()
})

test('a text that repeats the rules is rejected; one that declines in similar words is not', () => {
  for (const rule of replyRules.slice(0, 3))
    expect(issueOfText(`Sure: ${rule}`)).toBe('It repeats your rules.')
  expect(issueOfText(`${replyRules[0]?.toUpperCase().replaceAll(' ', '\n')}`)).toBe('It repeats your rules.')
  expect(
    issueOfText('I cannot say who lives in a place, whether it is safe, or how good its schools are.'),
  ).toBeUndefined()
  expect(issueOfText('I can give no legal, tax or lending advice, no opinion of a price.')).toBeUndefined()
})
