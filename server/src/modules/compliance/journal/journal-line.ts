import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { EntryRow } from '../ledger/ledger-entry.ts'

const workspace = Type.String()

/** The sealed key of a workspace's hashes, without which they match no number and no address. */
const KeyLine = Type.Object({ line: Type.Literal('key'), workspace, sealed: Type.String() })

/** An entry of the consent ledger, with its place in the chain. */
const EntryLine = Type.Object({
  line: Type.Literal('entry'),
  workspace,
  sequence: Type.Integer(),
  entry: Type.Pick(EntryRow, [
    'id',
    'at',
    'kind',
    'subject_type',
    'subject',
    'contact_id',
    'reason',
    'channels',
    'since',
    'source',
  ]),
})

const ErasureLine = Type.Object({
  line: Type.Literal('erasure'),
  workspace,
  contact: Type.String(),
  event: Type.String(),
  at: Type.String(),
})

const JournalLine = Compile(Type.Union([KeyLine, EntryLine, ErasureLine]))
export type JournalLine = Static<typeof KeyLine> | Static<typeof EntryLine> | Static<typeof ErasureLine>

/** Undefined for a line that a crash has cut off. */
export function readLine(text: string): JournalLine | undefined {
  try {
    return JournalLine.Parse(JSON.parse(text)) as JournalLine
  } catch {
    return undefined
  }
}
