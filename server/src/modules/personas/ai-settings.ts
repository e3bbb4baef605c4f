import { type Static, Type } from 'typebox'
import { Money } from '#kernel/money.ts'

const fields = {
  enabled: Type.Boolean({
    description: 'False stops every persona, also what they have queued and what waits for approval.',
  }),
  daily_budget: Money('US dollars that language models may cost in a day of UTC. 5 by default.'),
  second_look: Type.Boolean({
    description:
      'Whether the model also judges each text that the rules of content let pass, before it is sent. It costs a second question. True by default.',
  }),
}

const example = { enabled: true, daily_budget: 5, second_look: true }

export const AiSettings = Type.Object(fields, { title: 'AiSettings', examples: [example] })
export type AiSettings = Static<typeof AiSettings>

export const AiSettingsPatch = Type.Partial(Type.Object(fields), {
  title: 'AiSettingsPatch',
  additionalProperties: false,
  description: 'Fields that are left out keep their values.',
  examples: [{ enabled: false }],
})
export type AiSettingsPatch = Static<typeof AiSettingsPatch>

/** Those of a workspace that never changed them. */
export const defaultAiSettings: AiSettings = { enabled: true, daily_budget: 5, second_look: true }
