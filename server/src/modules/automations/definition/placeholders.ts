import { didYouMean } from '#kernel/http/validation.ts'

/** The placeholder values of a text: about the contact, its owner, and the workspace. */
export interface Words {
  'contact.first_name': string | null
  'contact.last_name': string | null
  'owner.name': string | null
  'workspace.name': string | null
}

const names: readonly string[] = [
  'contact.first_name',
  'contact.last_name',
  'owner.name',
  'workspace.name',
] satisfies (keyof Words)[]

const listed = `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`

const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g

/** Fills the placeholders of a text: `{{contact.first_name|there}}` becomes `there` if there is no first name. */
export const fillText = (text: string, words: Words): string =>
  text.replaceAll(placeholder, (_, spaced: string, otherwise = '') => {
    const name = spaced.trim()
    return names.includes(name) ? (words[name as keyof Words] ?? otherwise) : ''
  })

function unknownPlaceholder(name: string): string {
  const meant = didYouMean(name, names)
  return `has an unknown placeholder: ${name}${meant}${meant === '' ? '; use' : ' Use'} ${listed}`
}

/** What is wrong with the placeholders of a text. */
export const placeholderIssues = (text: string): string[] => [
  ...Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim()).flatMap((name) =>
    names.includes(name) ? [] : [unknownPlaceholder(name.slice(0, 40))],
  ),
  ...(text.replaceAll(placeholder, '').includes('{{')
    ? ['has {{ without a placeholder and }} after it']
    : []),
]
