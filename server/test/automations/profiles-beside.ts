import type { Profile } from './profile.ts'

export const onlyEnroll = { enroll: 6 }

/** Lives with more than the steps of one workspace: other workspaces, deals, appointments, external systems, versions, and long pauses. */
export const profilesBeside = {
  /** Engines that lease one lane at a time, beside a workspace that always has something to do. */
  lanes: {
    people: 1,
    automations: 1,
    workspaces: [[3, 1]],
    lanes: 1,
    isBusy: true,
    choices: 25,
    faults: 0,
    taste: { groups: 0, events: 0, sends: 0, branches: 0, others: 0, triggers: 0, exits: 0 },
    deeds: onlyEnroll,
  },
  /** Lost connections of engines that survive. */
  errors: {
    people: 1,
    automations: 1,
    engines: 1,
    choices: 15,
    faults: 0.8,
    faultKinds: ['error', 'lost'],
    taste: { groups: 0, events: 0, sends: 0, others: 0, triggers: 0, exits: 0, waits: 4 },
    deeds: onlyEnroll,
  },
  /** Deals are won while their contacts are being enrolled. */
  deals: {
    people: 1,
    automations: 1,
    engines: 1,
    workspaces: [[1, 1]],
    choices: 200,
    faults: 0,
    grains: [['statement', 1]],
    taste: { exits: 1, waits: 6, groups: 0, events: 0, sends: 0, branches: 0, others: 0, triggers: 0.2 },
    deeds: { enroll: 6, deal: 9, cancel: 6 },
  },
  moves: {
    people: 1,
    automations: 1,
    engines: 1,
    workspaces: [[1, 1]],
    choices: 200,
    faults: 0,
    grains: [['statement', 1]],
    passes: [[500, 1]],
    taste: {
      exits: 0,
      waits: 0,
      groups: 0,
      events: 9,
      dates: 0.9,
      sends: 0,
      actions: 1,
      branches: 0,
      others: 0,
      triggers: 0,
    },
    deeds: { enroll: 8, book: 3, move: 10, cancel: 7 },
  },
  /** An automation that throws, and others. */
  poisoned: {
    people: 1,
    automations: 3,
    choices: 30,
    faults: 0,
    isPoisoned: true,
    grains: [['transaction', 1]],
    workspaces: [[1, 1]],
    taste: { groups: 0, events: 0, sends: 0, others: 0, triggers: 0, exits: 0, waits: 5 },
    deeds: onlyEnroll,
  },
  /** Pauses of more than a day. */
  longPauses: {
    people: 1,
    automations: 1,
    workspaces: [[1, 1]],
    choices: 60,
    faults: 0,
    grains: [['transaction', 1]],
    passes: [
      [500, 2],
      [600_000, 4],
      [30 * 3_600_000, 3],
    ],
    taste: { groups: 0, events: 0, sends: 6, waits: 4, windows: 0.7, triggers: 0, exits: 0, others: 0 },
    deeds: { enroll: 3, pause: 8, resume: 5 },
  },
  webhooks: {
    people: 1,
    automations: 1,
    choices: 40,
    faults: 0.1,
    taste: { webhooks: 9, waits: 1, actions: 1, sends: 0.3, events: 0, triggers: 0, groups: 0 },
    deeds: { enroll: 6, respond: 10, pause: 1, resume: 1, reply: 1 },
  },
  migrations: {
    people: 2,
    automations: 1,
    choices: 50,
    faults: 0,
    taste: { waits: 12, events: 3, dates: 0, sends: 1, actions: 2, branches: 0.5, others: 0, triggers: 0 },
    deeds: { enroll: 6, publish: 4, migrate: 5, tag: 2, cancel: 1 },
  },
} satisfies Record<string, Partial<Profile>>
