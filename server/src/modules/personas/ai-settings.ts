import { type Static, Type } from 'typebox'
import { Money } from '#kernel/money.ts'

const fields = {
  enabled: Type.Boolean({
    description:
      'If false, all personas stop. Queued messages and messages that are waiting for approval stop as well.',
  }),
  daily_budget: Money('The most that language models may cost in a UTC day, in US dollars. 5 by default.'),
  second_look: Type.Boolean({
    description:
      'Whether the model also judges each text that passes the content rules, before it is sent. This costs a second request. True by default.',
  }),
}

const example = { enabled: true, daily_budget: 5, second_look: true }

export const AiSettings = Type.Object(fields, { title: 'AiSettings', examples: [example] })
export type AiSettings = Static<typeof AiSettings>

export const AiSettingsPatch = Type.Partial(Type.Object(fields), {
  title: 'AiSettingsPatch',
  additionalProperties: false,
  description: 'Fields that you omit keep their values.',
  examples: [{ enabled: false }],
})
export type AiSettingsPatch = Static<typeof AiSettingsPatch>

/** The settings of a workspace that has never changed them. */
export const defaultAiSettings: AiSettings = { enabled: true, daily_budget: 5, second_look: true }
