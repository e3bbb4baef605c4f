import type { Persona } from '../../personas/public.ts'

/** The first message to a contact states that an AI writes, whatever the model says. */
export const disclosedText = ({ greeting, disclosure }: Persona, text: string, isFirst: boolean): string =>
  [...(isFirst ? [greeting, disclosure] : []), text].flatMap((part) => part ?? []).join(' ')
