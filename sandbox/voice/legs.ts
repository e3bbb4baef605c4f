import { voiceBehaviorOf } from './script.ts'
import type { CallEnd, CarriedCall, Party, Switchboard } from './switchboard.ts'

/** Updates to a leg of a call. */
export const legs = (now: () => Date) => ({
  answer(call: CarriedCall): void {
    call.state = 'talking'
    call.answeredAt ??= now()
  },
  end(call: CarriedCall, how: CallEnd): void {
    if (call.state === 'ended') return
    call.state = 'ended'
    call.end = how
    call.endedAt = now()
  },
  say: (call: CarriedCall, speaker: 'agent' | 'user', text: string): void =>
    void call.lines.push({ speaker, text, at: now() }),
})

/**
 * Rings a member. Returns undefined once they pick up, which an unwatched handset does by itself, or how the call
 * ended.
 */
export async function ringMember(
  { ringMs }: Pick<Switchboard, 'ringMs'>,
  { next }: Pick<Party, 'next'>,
  member: CarriedCall,
): Promise<CallEnd | undefined> {
  const { end } = voiceBehaviorOf(member.to)
  if (end === 'bad_number') return 'bad_number'
  const pressed = await next(ringMs(member.to))
  if (pressed !== undefined && pressed.call !== member) return 'hung_up'
  if (pressed?.what.kind === 'decline') return 'declined'
  if (pressed === undefined && end === 'no_answer') return 'no_answer'
  if (pressed === undefined) member.more['isAlone'] = true
  return undefined
}
