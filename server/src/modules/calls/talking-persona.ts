import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { type Persona, findAiSettings, findPersona, lockPersonaForShare, isOn } from '../personas/public.ts'
import type { CallRow } from './call.ts'
import type { CallDraft } from './draft.ts'

const [aiOff, personaOff] = ['The AI of the workspace is off.', 'The persona is off.']

const AiOff = defineError('ai_off', 409, () => ({ message: aiOff }))

const PersonaOff = defineError('persona_off', 409, (path: string) => ({
  message: personaOff,
  details: [{ path, message: 'is off' }],
}))

/**
 * If the AI is to talk, throws 409 `ai_off` or `persona_off` if it may not, and 404 if the persona doesn't exist.
 * Throws 400 if the draft names both a member and a persona.
 */
export async function requireTalkingAi(ctx: Ctx, { member_id, persona_id }: CallDraft): Promise<void> {
  if (member_id !== undefined) {
    if (persona_id === undefined) return
    throw ValidationFailed([{ path: 'persona_id', message: 'cannot be combined with member_id' }])
  }
  const persona = persona_id === undefined ? undefined : await findPersona(ctx.db, persona_id)
  if (persona_id !== undefined && persona === undefined) throw ReferenceNotFound('persona_id')
  if (!(await findAiSettings(ctx.db)).enabled) throw AiOff()
  if (persona !== undefined && !isOn(persona)) throw PersonaOff('persona_id')
}

/**
 * Returns the persona for an AI call that is about to begin, held against changes until the transaction ends, or the
 * error if the AI or the persona is off. `persona` is undefined if the call names none.
 */
export async function lockTalkingAiForShare(
  tx: Tx,
  { persona_id }: Pick<CallRow, 'persona_id'>,
): Promise<{ persona: Persona | undefined } | NonNullable<CallRow['error']>> {
  if (!(await findAiSettings(tx)).enabled) return { code: 'ai_off', carrier_code: null, message: aiOff }
  const persona = persona_id === null ? undefined : await lockPersonaForShare(tx, persona_id)
  if (persona_id === null || (persona !== undefined && isOn(persona))) return { persona }
  return { code: 'persona_off', carrier_code: null, message: personaOff }
}
