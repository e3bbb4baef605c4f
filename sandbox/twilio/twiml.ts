interface Element {
  attributes: Readonly<Record<string, string>>
  text: string
}

/** A TwiML verb, with the parts that the simulated carrier supports. */
export interface Verb extends Element {
  name: 'Say' | 'Gather' | 'Dial' | 'Record' | 'Reject' | 'Hangup'
  /** The prompts of a `Gather`. */
  prompts: readonly Element[]
  /** The numbers that a `Dial` rings. */
  numbers: readonly Element[]
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

const attributesIn = (tag: string) =>
  Object.fromEntries(
    [...tag.matchAll(/\s([\w]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  )

const elementsIn = (xml: string, names: string) =>
  [...xml.matchAll(new RegExp(`<(${names})\\b([^>]*?)(?:/>|>(.*?)</\\1>)`, 'gs'))].map(
    ([, name = '', tag = '', content = '']) => ({ name, content, attributes: attributesIn(tag) }),
  )

const within = (content: string, names: string): Element[] =>
  elementsIn(content, names).map((one) => ({ attributes: one.attributes, text: unescaped(one.content) }))

/** The verbs in a response, in order. */
export const verbsIn = (twiml: string): Verb[] =>
  elementsIn(twiml, 'Gather|Say|Dial|Record|Reject|Hangup').map(({ name, content, attributes }) => ({
    name: name as Verb['name'],
    attributes,
    text: unescaped(content),
    prompts: within(content, 'Say'),
    numbers: within(content, 'Number'),
  }))
