import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#embedded-postgres/start.ts'
import { emptyDatabase } from './databases.ts'
import { fillRecords } from './records/fill.ts'
import { buildScene } from './records/scene.ts'
const s = await startEmbeddedPostgres({ dataDir: '/tmp/dbg/data', exclusive: true, log: console.log })
const { url } = await emptyDatabase(s.url, 'gable_dbg')
const b = await buildScene(url, 2)
await fillRecords(url, b, 1_000_000)
writeFileSync('/tmp/dbg/scene.json', JSON.stringify({ url, b }))
console.log('ready', url)
await sleep(2 * 3600_000)
