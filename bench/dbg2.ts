import { readFileSync } from 'node:fs'
import { timeQuestions } from './question-times.ts'
import { questionsAbout } from './records/questions.ts'
const { url, b } = JSON.parse(readFileSync('/tmp/dbg/scene.json', 'utf8'))
const qs = questionsAbout(b, 1_000_000).filter(
  (q) => !process.argv[2] || (q.kind + '|' + q.named).match(process.argv[2]),
)
// each question is a kind of its own
const times = await timeQuestions(
  url,
  qs.map((q) => ({ ...q, kind: q.kind + ' | ' + q.named.replaceAll(/c[a-z0-9]{24}/g, 'ID') })),
  8,
)
for (const t of times.toSorted((a, b) => b.p50 - a.p50).slice(0, Number(process.argv[3] ?? 40)))
  console.log(t.p50.toFixed(1).padStart(8), t.p99.toFixed(1).padStart(8), t.kind)
