import { availableParallelism, cpus, totalmem } from 'node:os'
import { comparisonTable, searchTable } from '../report.ts'
import type { Measured } from '../rounds.ts'
import type { SearchTime } from '../search-times.ts'
import { type Spread, spread } from '../statistics.ts'
import type { Sent } from './sending.ts'

export interface Results {
  server: string
  judge: Spread | undefined
  accepted: Measured | undefined
  connections: number
  rounds: number
  seconds: number
  texts: number
  sent: readonly Sent[]
  messages: number
  inbox: readonly SearchTime[] | undefined
}

const figure = (values: readonly number[], digits = 0) => {
  const { median, least, greatest } = spread(values)
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${greatest.toFixed(digits)})`
}

/** The page with the results. */
export function resultsPage({ server, judge, sent, inbox, ...results }: Results): string {
  return [
    `# Messages

Made by \`npm run bench:messages\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Load, servers and database share this machine.
- A figure is the median, with the least and the greatest. CPU is from /proc.
`,
    judge && judgePart(judge),
    acceptPart(results),
    sent.length > 0 && sendPart(sent, results.texts),
    inbox && inboxPart(inbox, results.messages),
  ]
    .filter((part) => typeof part === 'string')
    .join('\n')
}

const judgePart = ({ median, least, greatest }: Spread) => `## A verdict

${median.toFixed(1)} µs of CPU (${least.toFixed(1)}–${greatest.toFixed(1)}), over 5,000 different sends a round. The aim is at most 50.
`

const acceptPart = ({
  accepted,
  connections,
  rounds,
  seconds,
}: Pick<Results, 'accepted' | 'connections' | 'rounds' | 'seconds'>) =>
  accepted &&
  `## POST /messages beside a bare insert

${comparisonTable([{ title: 'accept a text', measured: accepted, subject: 'Gable', to: 'bare', aim: 0.5 }])}

${connections} connections, ${rounds} rounds of ${seconds} s, the servers taking turns. Bare is \`bench/messages/bare-server.ts\`: one message and one event in a transaction, and no credential, limit, tenant rule, contact, conversation, queue or gate. Gable reads what is known of the person, judges, and writes message, conversation and queue.
`

function sendPart(sent: readonly Sent[], texts: number): string {
  const cpu = (part: keyof Sent['cpu']) => figure(sent.map((one) => one.cpu[part]))
  return `## Texts a second through one worker

${figure(sent.map(({ perSecond }) => perSecond))} texts a second; the aim is 1,000. ${texts.toLocaleString('en-US')} texts a round to as many people, from the first attempt to the last response of the simulated carrier, which calls back twice about each text meanwhile.
CPU µs per text: worker ${cpu('worker')}, PostgreSQL ${cpu('postgres')}, the server that takes callbacks ${cpu('api')}, the carrier ${cpu('carrier')}.
`
}

const inboxPart = (
  inbox: readonly SearchTime[],
  messages: number,
) => `## An inbox of ${messages.toLocaleString('en-US')} messages

${searchTable(inbox)}

51 rows asked for, in mixed order through the product's own statements, roles and tenant rule; database time and one local round trip. The aim is a p99 of at most 10 ms.
`
