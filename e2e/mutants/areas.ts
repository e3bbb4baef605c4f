/** Code that decides, and the tests that must notice when it decides otherwise. */
export interface Area {
  name: string
  /** Globs of source files. Their tests, commands and fixtures are left out. */
  files: readonly string[]
  /** Paths of test files, as arguments of the test runner. */
  tests: readonly string[]
}

const modules = 'server/src/modules'

/** The areas, the quickest tests first. */
export const areas: readonly Area[] = [
  {
    name: 'judge',
    files: [
      `${modules}/compliance/judge/{judge,gates,consent-gate,sender-gate,recipient,zones,emergency-rules}.ts`,
    ],
    tests: [`${modules}/compliance/judge`],
  },
  {
    name: 'hours',
    files: [
      `${modules}/compliance/judge/{hours,hours-rules,local-time}.ts`,
      'server/src/kernel/conditions/hours.ts',
    ],
    tests: [`${modules}/compliance/judge`, 'server/src/kernel/conditions'],
  },
  {
    name: 'facts',
    files: [`${modules}/messages/{facts,recipient,find-holder,compliance-of}.ts`],
    tests: [
      'server/test/messages/facts-model.test.ts',
      'server/test/messages/belonging-model.test.ts',
      `${modules}/messages/messages.test.ts`,
      'server/test/messages/holders.test.ts',
      `${modules}/messages/inbound`,
    ],
  },
  {
    name: 'words',
    files: [`${modules}/compliance/words/*.ts`],
    tests: [`${modules}/compliance/words`, `${modules}/messages/inbound/inbound.test.ts`],
  },
  {
    name: 'routing',
    files: [
      `${modules}/routing/decide/{decide-route,choose-agent,eligibility,rotation,weighted-rotation,rule-steps}.ts`,
    ],
    tests: [`${modules}/routing/decide`],
  },
  {
    name: 'conditions',
    files: ['server/src/kernel/conditions/{condition,operators,condition-issues}.ts'],
    tests: ['server/src/kernel/conditions', `${modules}/routing/rules`, `${modules}/automations/definition`],
  },
  {
    name: 'masking',
    files: ['server/src/kernel/masking/*.ts'],
    tests: ['server/src/kernel/masking'],
  },
  {
    name: 'file links',
    files: [`${modules}/files/{file-link,byte-range,download-route,holder}.ts`],
    tests: [`${modules}/files`],
  },
  {
    name: 'engine',
    files: [
      `${modules}/enrollments/{advance,enroll,change-enrollment}.ts`,
      `${modules}/enrollments/engine/*.ts`,
      `${modules}/enrollments/inbox/*.ts`,
      `${modules}/automations/definition/listens-to.ts`,
    ],
    tests: ['server/test/automations/simulation.test.ts', `${modules}/enrollments`],
  },
  {
    name: 'dispatchers',
    files: [`${modules}/messages/outbox/*.ts`, `${modules}/deliveries/dispatcher/*.ts`],
    tests: [
      'server/test/messages/outbox-model.test.ts',
      'server/test/messages/dispatcher.test.ts',
      'server/test/messages/pace.test.ts',
      'server/test/messages/batches.test.ts',
      'server/test/messages/unclear.test.ts',
      'server/test/messages/next-due.test.ts',
      'server/test/simulation/simulation.test.ts',
      'server/test/simulation/model.test.ts',
      `${modules}/deliveries`,
    ],
  },
  {
    name: 'erasure',
    files: [
      `${modules}/contacts/erase-contact.ts`,
      `${modules}/messages/erasure/*.ts`,
      `${modules}/calls/erase-calls.ts`,
    ],
    tests: [
      `${modules}/contacts/erasure.test.ts`,
      'server/test/messages/erasure.test.ts',
      `${modules}/calls`,
    ],
  },
]
