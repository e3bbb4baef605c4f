import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setRules } from '../../src/modules/routing/public.ts'
import { addToTeam, createMember, createTeam } from '../../src/modules/workspaces/public.ts'
import { testApp } from './app.ts'
import type { Client } from './client.ts'
import { freshDatabase } from './database.ts'
import { type Outcome, gableWith } from './gable.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- each test says itself what it expects
type Json = any

/** A running server with a small brokerage, and the command line to go with it. */
export interface Brokerage extends AsyncDisposable {
  agent: Client
  /**
   * Ids of the members, by the beginnings of their addresses: ada and bo are in the North Shore team; cy and cyrus
   * share a name.
   */
  ids: Record<'ada' | 'bo' | 'cy' | 'cyrus', string>
  team: string
  /** A rules document: North Shore in turn, referrals to Ada, everything else to Bo. */
  document: { timezone: string; default: object; rules: [NorthShore, object] }
  /** Activates the document. */
  setRules(): Promise<unknown>
  /** Runs `gable routing-rules …` on the workspace, as an operator would. */
  routing(...args: string[]): Promise<Outcome>
  /** The single value that a successful command prints to standard output. */
  output(...args: string[]): Promise<Json>
  /** Writes this content to a file. Returns its path. */
  file(name: string, content: unknown): Promise<string>
}

interface NorthShore {
  name: string
  conditions: object
  method: string
  pool: object
}

export async function openBrokerage(name: string): Promise<Brokerage> {
  const opened = new AsyncDisposableStack()
  const databaseUrl = await freshDatabase(name)
  const app = opened.use(await testApp({ databaseUrl, now: new Date() }))
  const folder = await mkdtemp(join(tmpdir(), 'gable-routing-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const { ctx, id, credential } = await app.workspace()
  const member = async (fullName: string, address: string) =>
    (await createMember(ctx, { name: fullName, email: `${address}@lantern.example`, role: 'agent' })).id
  const ids = {
    ada: await member('Ada Reyes', 'ada'),
    bo: await member('Bo Lindqvist', 'bo'),
    cy: await member('Cy Okafor', 'cy'),
    cyrus: await member('Cy Okafor', 'cyrus'),
  }
  const team = (await createTeam(ctx, { name: 'North Shore' })).id
  await addToTeam(ctx, team, ids.ada)
  await addToTeam(ctx, team, ids.bo)
  const document: Brokerage['document'] = {
    timezone: 'America/Chicago',
    default: { method: 'direct', pool: { members: [ids.bo] } },
    rules: [northShore(team), toMember('Referrals', 'Referral', ids.ada)],
  }

  const gable = gableWith(() => ({ DATABASE_URL: databaseUrl }))
  const words = (args: readonly string[]) => ['routing-rules', ...args, '--workspace', id]

  return {
    agent: await credential(),
    ids,
    team,
    document,
    setRules: () => setRules(ctx, document),
    routing: (...args) => gable(words(args)),
    output: (...args) => gable.json(...words(args)),
    async file(fileName, content) {
      const path = join(folder, fileName)
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const northShore = (team: string): NorthShore => ({
  name: 'North Shore',
  conditions: {
    all: [
      { field: 'zip', operator: 'in', value: ['60201', '60202'] },
      { none: [{ field: 'context.intent', operator: 'eq', value: 'rent' }] },
    ],
  },
  method: 'round_robin',
  pool: { team_id: team },
})

/** A rule that assigns leads from a source to one member. */
const toMember = (name: string, source: string, member: string) => ({
  name,
  priority: 200,
  conditions: { field: 'source', operator: 'eq', value: source },
  method: 'direct',
  pool: { members: [member] },
})
