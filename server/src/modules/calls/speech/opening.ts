import type { Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { findPersona } from '../../personas/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import type { CallRow } from '../call.ts'

/** What the AI says first in a call: that it is one, whose, whether the call is recorded, and how to end such calls. */
export async function openingOf(
  tx: Tx,
  { persona_id }: Pick<CallRow, 'persona_id'>,
  recorded: boolean,
): Promise<string> {
  const persona = persona_id === null ? undefined : await findPersona(tx, persona_id)
  const { name } = found(await findWorkspace(tx, tx.workspaceId))
  return [
    persona?.disclosure ?? `Hello, this is the AI assistant of ${name}.`,
    ...(recorded ? ['This call is recorded.'] : []),
    'Say "stop calling" at any time to end such calls.',
    'Do you have a minute?',
  ].join(' ')
}
