import { orNotFound } from '#kernel/errors.ts'
import type { MessageDraft } from '../../messages/public.ts'
import type { SendStep } from './outside-steps.ts'

/** The message of a step. `fill` fills the placeholders of its texts. */
export function draftOfSend(
  { channel, from, subject, body, html, template }: Omit<SendStep, 'key' | 'type'>,
  to: string,
  fill: (text: string) => string,
): MessageDraft {
  const common = { to, ...(from !== undefined && { from }) }
  if (channel === 'sms') return { channel, ...common, body: fill(body) }
  if (channel === 'whatsapp') {
    const { name, language, variables } = orNotFound(template)
    return { channel, ...common, template: { name, language, variables: variables.map(fill) } }
  }
  return {
    channel,
    ...common,
    subject: fill(orNotFound(subject)).replaceAll(/\s+/g, ' '),
    ...(body !== '' && { body: fill(body) }),
    ...(html !== undefined && { html: fill(html) }),
  }
}
