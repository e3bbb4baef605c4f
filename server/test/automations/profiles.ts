import type { Profile } from './profile.ts'

const onlyEnroll = { enroll: 6 }

/** Lives that show one kind of bug soon: short, and with more of what it takes. */
export const profiles = {
  plain: {},
  /** Long waits, few people. */
  waits: {
    people: 1,
    automations: 1,
    choices: 25,
    faults: 0,
    taste: { waits: 6, sends: 0, branches: 0, others: 0, triggers: 0, exits: 0 },
    deeds: onlyEnroll,
  },
  pauses: {
    people: 1,
    automations: 1,
    choices: 30,
    faults: 0,
    taste: { waits: 6, triggers: 0, exits: 0 },
    deeds: { enroll: 4, pause: 4, resume: 4 },
  },
  exits: {
    people: 1,
    automations: 1,
    choices: 35,
    faults: 0,
    taste: { exits: 1, sends: 4, triggers: 0.3 },
    deeds: { enroll: 5, reply: 2, book: 2, owner: 2, stop: 1, stage: 3 },
  },
  entries: {
    people: 1,
    automations: 2,
    choices: 40,
    faults: 0,
    taste: { triggers: 1, waits: 4, exits: 0.1, others: 0 },
    deeds: { tag: 6, stage: 4, reply: 3, enroll: 2, publish: 0.5 },
  },
  sends: {
    people: 1,
    automations: 1,
    choices: 30,
    faults: 0.1,
    taste: { sends: 8, waits: 2, actions: 1, triggers: 0, windows: 0.5 },
    deeds: { enroll: 6, stop: 1, reply: 1, cancel: 1, pause: 1, resume: 1 },
  },
  /** Engines that stall, die, and meet. */
  faults: {
    people: 2,
    automations: 1,
    engines: 3,
    choices: 60,
    faults: 0.7,
    grains: [
      ['transaction', 2],
      ['commit', 2],
      ['statement', 2],
    ],
    taste: { actions: 8, waits: 4, sends: 0.5, triggers: 0 },
    deeds: { enroll: 6, owner: 1 },
  },
  movement: {
    people: 2,
    automations: 1,
    choices: 45,
    faults: 0,
    taste: { waits: 5, triggers: 0 },
    deeds: { enroll: 6, disable: 3, enable: 3, publish: 1, cancel: 1 },
  },
  /** Automations that stop each other. */
  others: {
    people: 1,
    automations: 2,
    choices: 25,
    faults: 0,
    taste: { others: 8, waits: 1.5, sends: 0, branches: 0, actions: 3, exits: 0, triggers: 0 },
    deeds: { enroll: 8 },
  },
  /** Automations that change what the exits of another depend on. */
  changes: {
    people: 1,
    automations: 2,
    choices: 25,
    faults: 0,
    taste: { waits: 1, sends: 0, branches: 0, actions: 8, others: 0, exits: 1, triggers: 0 },
    deeds: { enroll: 8 },
  },
  crowds: {
    people: 3,
    automations: 1,
    choices: 45,
    faults: 0,
    taste: { exits: 1, waits: 4, triggers: 0.5 },
    deeds: { enroll: 6, reply: 3, owner: 3, tag: 3 },
  },
  triggered: {
    people: 1,
    automations: 1,
    choices: 45,
    faults: 0,
    taste: { exits: 1, triggers: 1, waits: 4 },
    deeds: { tag: 4, stage: 4, reply: 4, owner: 4, book: 4 },
  },
  branches: {
    people: 1,
    automations: 1,
    choices: 20,
    faults: 0,
    taste: { branches: 5, waits: 1, sends: 0, triggers: 0, exits: 0, others: 0 },
    deeds: { enroll: 6, tag: 2 },
  },
  trash: {
    people: 1,
    automations: 1,
    choices: 30,
    faults: 0,
    taste: { waits: 5, triggers: 0 },
    deeds: { enroll: 4, stage: 8 },
  },
  /** The engine is away for more than a day. */
  outages: {
    people: 1,
    automations: 1,
    choices: 40,
    faults: 0,
    passes: [
      [500, 4],
      [30 * 3_600_000, 3],
    ],
    taste: { sends: 6, waits: 3, windows: 0, triggers: 0, exits: 0, others: 0 },
    deeds: onlyEnroll,
  },
  erasures: {
    people: 1,
    automations: 1,
    choices: 25,
    faults: 0,
    taste: { waits: 6, triggers: 0 },
    deeds: { enroll: 5, erase: 2 },
  },
  loops: {
    people: 1,
    automations: 2,
    choices: 30,
    faults: 0,
    taste: { triggers: 1, actions: 8, waits: 1, sends: 0, exits: 0 },
    deeds: { stage: 4, tag: 6, enroll: 2 },
  },
  disabledOthers: {
    people: 1,
    automations: 2,
    choices: 40,
    faults: 0,
    taste: { others: 6, waits: 2, sends: 0, triggers: 0, exits: 0 },
    deeds: { enroll: 6, disable: 3, enable: 1 },
  },
} satisfies Record<string, Partial<Profile>>

export type Kind = keyof typeof profiles
