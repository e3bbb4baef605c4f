import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { type Persona, findAiSettings, findPersona, holdPersona, isOn } from '../../personas/public.ts'
import type { CallRow } from '../call.ts'
import type { CallDraft } from '../draft.ts'

const [aiOff, personaOff] = ['The AI of the workspace is off.', 'The persona is off.']

const AiOff = defineError('ai_off', 409, () => ({ message: aiOff }))

const PersonaOff = defineError('persona_off', 409, (path: string) => ({
  message: personaOff,
  details: [{ path, message: 'is off' }],
}))

/** 409 `ai_off` or `persona_off` where the AI is to talk and must not; 404 for a persona that is not there. */
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

/** Who talks in a call of the AI that is about to begin, held as it is; or why none may. */
export async function holdTalkingAi(
  tx: Tx,
  { persona_id }: Pick<CallRow, 'persona_id'>,
): Promise<{ persona: Persona | undefined } | NonNullable<CallRow['error']>> {
  if (!(await findAiSettings(tx)).enabled) return { code: 'ai_off', carrier_code: null, message: aiOff }
  const persona = persona_id === null ? undefined : await holdPersona(tx, persona_id)
  if (persona_id === null || (persona !== undefined && isOn(persona))) return { persona }
  return { code: 'persona_off', carrier_code: null, message: personaOff }
}
