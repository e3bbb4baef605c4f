import type { Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Persona } from '../../personas/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { stopKey } from './act-on-speech.ts'

/** The AI's opening: that it is an AI and whose, whether the call is recorded, and how to opt out of such calls. */
export async function openingOf(
  tx: Tx,
  persona: Pick<Persona, 'name' | 'disclosure'> | undefined,
  recorded: boolean,
): Promise<string> {
  const { name } = orNotFound(await findWorkspace(tx, tx.workspaceId))
  return [
    persona === undefined ? `Hello, this is the AI assistant of ${name}.` : disclosureOf(persona),
    ...(recorded ? ['This call is recorded.'] : []),
    `Say "stop calling" or press ${stopKey} at any time to end such calls.`,
    'Do you have a minute?',
  ].join(' ')
}

/** The persona's disclosure, preceded by its name unless the disclosure contains it. */
const disclosureOf = ({ name, disclosure }: Pick<Persona, 'name' | 'disclosure'>): string =>
  disclosure.toLowerCase().includes(name.toLowerCase()) ? disclosure : `This is ${name}. ${disclosure}`
