import type { Persona } from '../../personas/public.ts'

/** Puts the greeting and the AI disclosure before the first message to a contact, whatever the model wrote. */
export const disclosedText = ({ greeting, disclosure }: Persona, text: string, isFirst: boolean): string =>
  [...(isFirst ? [greeting, disclosure] : []), text].flatMap((part) => part ?? []).join(' ')
