import type { Definition, Exit } from '../../src/modules/automations/definition/definition.ts'
import type { AutomationStep } from '../../src/modules/automations/definition/step-types.ts'
import type { Random } from '../../src/seed/random.ts'

/** The weights by which the definitions of a life are drawn. A profile for one kind of bug raises those that expose it. */
export interface Taste {
  waits: number
  /** Waits for an event, or until some time before an appointment. */
  events: number
  /** The share of these that wait until some time before an appointment. */
  dates: number
  branches: number
  sends: number
  actions: number
  others: number
  exits: number
  triggers: number
  windows: number
  /** Steps that call an external system. */
  webhooks: number
  groups: number
  /** Whether the first automation waits and has exits, and the others wait and stop it. */
  rivals?: boolean
}

export const plainTaste: Taste = {
  waits: 3,
  events: 1,
  dates: 0.3,
  branches: 1,
  sends: 2,
  actions: 4,
  others: 0.5,
  exits: 0.5,
  triggers: 0.4,
  windows: 0.3,
  webhooks: 0,
  groups: 0.2,
}

export const stageNames = ['LEAD', 'HOT_LEAD', 'SPHERE'] as const
export const tagNames = ['go', 'hot', 'cold'] as const

/** A URL with an IP address, so that there is no DNS lookup. Nothing is sent to it. */
export const hook = 'https://93.184.215.14/hook'

const exits: readonly Exit[] = [
  { when: 'replied' },
  { when: 'booked' },
  { when: 'opted_out' },
  { when: 'owner_changed' },
  { when: 'deal_won' },
  { when: 'conditions', conditions: { field: 'contact.stage', operator: 'eq', value: 'SPHERE' } },
]

const triggerEvents = [
  'contact.tag_added',
  'contact.stage_changed',
  'message.received',
  'deal.stage_changed',
] as const

/** Draws a random definition. Its texts identify the automation, the version, and the step that wrote them. */
export function drawDefinition(
  random: Random,
  {
    index,
    version,
    others,
    taste,
    webhookId,
  }: {
    index: number
    version: number
    others: readonly string[]
    taste: Taste
    webhookId: string
  },
): Definition {
  let count = 0
  const most = random.integer(2, 8)
  const mark = (key: string) => `A${index}.${version}.${key}`

  function drawStep(depth: number): AutomationStep {
    const key = `s${++count}`
    const kind = random.weighted([
      ['wait', taste.waits],
      ['event', depth < 2 ? taste.events : 0],
      ['branch', depth < 2 ? taste.branches : 0],
      ['send', taste.sends],
      ['act', taste.actions],
      ['webhook', taste.webhooks],
      ['other', others.length > 0 ? taste.others : 0],
    ])
    if (kind === 'wait') {
      const unit = random.weighted([
        ['minutes', 8],
        ['hours', 1],
      ])
      return { key, type: 'wait', for: { [unit]: random.integer(1, unit === 'hours' ? 9 : 20) } }
    }
    if (kind === 'event') return drawEvent(key, depth)
    if (kind === 'send') {
      const on_blocked = random.chance(0.2) ? { on_blocked: 'exit' as const } : {}
      return random.chance(0.6)
        ? { key, type: 'send', channel: 'email', subject: 'Hello', body: mark(key), ...on_blocked }
        : { key, type: 'send', channel: 'sms', body: mark(key), ...on_blocked }
    }
    if (kind === 'webhook') return { key, type: 'webhook', webhook_id: webhookId, url: hook }
    if (kind === 'other')
      return { key, type: random.pick(['enroll', 'stop'] as const), automation_id: random.pick(others) }
    if (kind === 'branch')
      return {
        key,
        type: 'branch',
        branches: [
          {
            conditions: { field: 'contact.tags', operator: 'has_any', value: [random.pick(tagNames)] },
            steps: drawSteps(depth + 1, random.integer(0, 2)),
          },
        ],
        ...(random.chance(0.6) ? { else: drawSteps(depth + 1, random.integer(0, 2)) } : {}),
      }
    const type = random.pick(['task', 'note', 'tag', 'untag', 'stage', 'pause_ai', 'notify_member'] as const)
    if (type === 'pause_ai') return { key, type }
    if (type === 'notify_member') return { key, type, message: mark(key) }
    if (type === 'task') return { key, type, title: mark(key) }
    if (type === 'note') return { key, type, body: mark(key) }
    if (type === 'stage') return { key, type, stage: random.pick(stageNames) }
    return { key, type, tag: random.pick(tagNames) }
  }

  function drawEvent(key: string, depth: number): AutomationStep {
    if (random.chance(taste.dates))
      return { key, type: 'wait_until', anchor: 'appointment.starts_at', before: { hours: 2 } }
    return {
      key,
      type: 'wait_for',
      events: [{ event: random.pick(triggerEvents), steps: drawSteps(depth + 1, random.integer(0, 2)) }],
      timeout: { minutes: random.integer(5, 60) },
      on_timeout: drawSteps(depth + 1, random.integer(0, 1)),
    }
  }

  const drawSteps = (depth: number, wanted: number): AutomationStep[] =>
    Array.from({ length: wanted }, () => (count < most * 2 ? [drawStep(depth)] : [])).flat()

  const [rival] = others
  if (taste.rivals === true) return drawRival(random, index === 0 ? undefined : rival)
  const triggers = random.chance(taste.triggers) ? [random.pick(triggerEvents)] : []
  return {
    ...(random.chance(taste.groups)
      ? { exclusive_group: { name: 'one', when_taken: random.pick(['stay_out', 'replace'] as const) } }
      : {}),
    ...(random.chance(taste.exits) ? { exits: random.sample(exits, random.integer(1, 3)) } : {}),
    ...(triggers.length > 0
      ? {
          triggers: triggers.map((event) => ({
            event,
            ...(event === 'contact.tag_added'
              ? { conditions: { field: 'trigger.tag', operator: 'eq' as const, value: 'go' } }
              : {}),
          })),
          re_enrollment: random.pick(['never', 'always', { after_days: 1 }] as const),
        }
      : {}),
    ...(random.chance(taste.windows)
      ? { send_window: { from: '10:00', to: '16:00', zone: 'workspace' as const } }
      : {}),
    steps: drawSteps(0, most),
  }
}

/** An automation that waits and has exits, or one that waits and stops that one. */
function drawRival(random: Random, stopped: string | undefined): Definition {
  const wait = (key: string): AutomationStep => ({
    key,
    type: 'wait',
    for: { minutes: random.integer(5, 40) },
  })
  if (stopped === undefined)
    return { exits: exits.slice(0, 4), steps: [wait('s1'), wait('s2'), wait('s3'), wait('s4')] }
  return { steps: [wait('s1'), { key: 's2', type: 'stop', automation_id: stopped }, wait('s3')] }
}
