import { expect, test, vi } from 'vitest'
import { operator } from '#kernel/cli/cli.ts'
import { keyRing } from '#kernel/secrets.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import type { StopJournal } from '../ports.ts'
import { sealKey } from '../suppression-key.ts'
import { applyStopJournal } from './apply-journal.ts'
import { writeStopJournal } from './write-journal.ts'

function journalInMemory() {
  const lines: string[] = []
  let covered: Date | undefined
  let written = 0
  async function* all() {
    yield* lines
  }
  const journal: StopJournal = {
    own: all,
    all,
    append: async (more) => void lines.push(...more),
    async saveCovered(until) {
      covered = until
      written++
    },
    findCovered: async () => covered,
  }
  const isCoveredAfter = (count: number) => () => written >= count
  return { journal, lines, isCoveredAfter }
}

test('opt-outs are applied whichever of the keys in the files opens, and a new seal of the key is written', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('stop_journal') })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await agent.post('/suppressions', { phone: '+13125550123', kind: 'manual' })
  const { journal, lines, isCoveredAfter } = journalInMemory()
  const write = async (times: number) => {
    await using _writing = await writeStopJournal(app.runtime, journal)
    await vi.waitUntil(isCoveredAfter(times), { timeout: 30_000 })
  }
  await write(1)
  const keyLines = () => lines.filter((line) => line.includes('"line":"key"') && line.includes(workspace.id))
  expect(keyLines()).toHaveLength(1)

  // Another file has the key as a secret that is no longer known has sealed it, in the first line and in the last.
  const foreign = sealKey(keyRing(['another secret of thirty-two letters']), workspace.id, 'x')
  const line = JSON.stringify({ line: 'key', workspace: workspace.id, sealed: foreign.toString('base64') })
  lines.unshift(line)
  lines.push(line)
  await asOwner(app.databaseUrl, 'delete from suppressions')
  const applied = await applyStopJournal(app.runtime, journal, operator)
  expect(applied).toMatchObject({ suppressions: 1, unreadable: [] })

  // What the writer reads last is the foreign key, so it writes the own one again.
  await write(2)
  expect(keyLines()).toHaveLength(4)

  const unreadable = { ...app.runtime, keys: keyRing(['a third secret of thirty-two letters..']) }
  expect(await applyStopJournal(unreadable, journal, operator)).toMatchObject({
    suppressions: 0,
    unreadable: [workspace.id],
  })
})
