import { describe, expect, test } from 'vitest'
import { type Manifest, partNames, wrongDependencies, wrongParts } from './parts.ts'
import { listFiles, parse, readSources, readText } from './source.ts'

test('each part of the repository imports only the parts that it may, by their packages', () => {
  expect(wrongParts(readSources(...partNames))).toEqual([])
})

test('every package declares exact versions, the same everywhere', () => {
  const manifests = ['package.json', ...partNames.flatMap(listFiles)]
    .filter((path) => path.endsWith('package.json'))
    .map((path) => ({ ...(JSON.parse(readText(path)) as Manifest), path }))
  expect(manifests.map(({ path }) => path)).toEqual(
    expect.arrayContaining(partNames.map((name) => `${name}/package.json`)),
  )
  // The generator of the client does not run on the TypeScript of the others.
  const ofGenerator = ['tools/sdk/package.json: typescript 6.0.3 is 7.0.2 elsewhere']
  expect(wrongDependencies(manifests)).toEqual(ofGenerator)
})

describe('reports an import with its line:', () => {
  test.for([
    ['sandbox/twilio/start.ts', "import '@gable/server/src/kernel/clock.ts'"],
    ['sandbox/twilio/start.ts', "import type { C } from '../../server/src/modules/messages/ports.ts'"],
    ['sandbox/start.ts', "import '@gable/postgres/start.ts'"],
    ['postgres/start.ts', "import '@gable/server/src/kernel/log.ts'"],
    ['postgres/start.test.ts', "import '@gable/server/test/support/app.ts'"],
    ['sdk/client.ts', "type Contact = import('../server/src/modules/contacts/contact.ts').Contact"],
    ['sdk/client.ts', "export { t } from '@gable/web/words/words.ts'"],
    ['web/app/main.tsx', "import { stages } from '@gable/server/src/api.ts'"],
    ['server/src/app.ts', "import '../../web/app/main.ts'"],
    ['server/src/app.ts', "import { Gable } from 'gable'"],
    ['server/test/support/app.ts', "import '../../../sdk/src/gable.ts'"],
    ['e2e/sdk/client.test.ts', "import '../../sdk/src/gable.ts'"],
    ['server/test/mail/queue.test.ts', "import '@gable/e2e/faults/gable-process.ts'"],
    ['server/src/serve.ts', "import '../../sandbox/start.ts'"],
    ['docs/guides/calls.test.ts', "import '../../server/src/app.ts'"],
  ] as const)('%s: %s', ([path, code]) => {
    expect(wrongParts([parse(path, `\n${code}`)])).toEqual([expect.stringMatching(`^${path}:2: `)])
  })

  test.for([
    ['server/src/serve.ts', "import '@gable/sandbox/start.ts'"],
    ['e2e/faults/kill.test.ts', "import '@gable/server/test/support/app.ts'"],
    ['web/app/main.tsx', "import { Gable } from 'gable'"],
    ['e2e/sdk/client.test.ts', "import { Gable } from 'gable'"],
    ['sandbox/start.ts', "import { startTwilio } from './twilio/start.ts'"],
    ['postgres/session.ts', "import pg from 'pg'"],
  ] as const)('but not in %s: %s', ([path, code]) => {
    expect(wrongParts([parse(path, code)])).toEqual([])
  })
})

test.for([
  { pg: '^8.23.1' },
  { pg: '8.x' },
  { pg: '*' },
  { pg: '8.23.0' },
  { '@gable/server': 'file:../server' },
  { '@gable/postgres': '0.1.0' },
])('reports the dependency %j', (dependencies) => {
  const root = { path: 'package.json', devDependencies: { pg: '8.23.1' } }
  expect(wrongDependencies([root, { path: 'sandbox/package.json', dependencies }])).toHaveLength(1)
})
