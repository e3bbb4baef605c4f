import { orNotFound } from '#kernel/errors.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

const stages = [
  [
    { name: 'New', outcome: 'open' },
    { name: 'Won', outcome: 'won' },
    { name: 'Lost', outcome: 'lost' },
  ],
]
const commissions = [
  {},
  { gci: 13_500 },
  {
    rate_percent: 2.5,
    splits: [
      { phase: 'pre_split', payee_type: 'external', label: 'Referral', percent: 25 },
      { percent: 70 },
      { payee_type: 'office', percent: 30 },
      { phase: 'post_split', payee_type: 'office', from_payee: 'agent', amount: 395, label: 'Fee' },
    ],
  },
]
const address = { street: '12 Elm Street', city: 'Chicago', state: 'Illinois', postal_code: '60614' }

/** Cycles through the stages of the default pipeline. */
let asked = 0

export const fixtures: Fixtures = {
  owners: {
    '/deals/{id}': async (id, memberId) =>
      asOwner(await workerDatabase(), 'update deals set owner_id = $2 where id = $1', [id, memberId]),
  },
  lists: {
    '/deals': {
      insert: async (agent) => idOf(await agent.post('/deals', { name: 'Reyes' })),
      remove: (agent, row) => agent.delete(`/deals/${row}`),
    },
  },
  referents: {
    payee: async (workspace) => (await workspace.member()).id,
    stage: async (workspace) => {
      const { data } = (await (await workspace.credential()).get('/pipelines')).body
      const { stages: all } = orNotFound(
        (data as { is_default: boolean; stages: { id: string }[] }[]).find((one) => one.is_default),
      )
      return orNotFound(all[asked++ % all.length]).id
    },
  },
  reset: {
    'POST /deals/{id}/restore': async (id) =>
      asOwner(await workerDatabase(), 'update deals set deleted_at = created_at where id = $1', [id]),
  },
  values: {
    'POST /deals participants': [[]],
    'POST /deals commission': commissions,
    'PATCH /deals/{id} commission': [...commissions, null],
    'POST /deals address': [address, {}],
    'PATCH /deals/{id} address': [address, {}, null],
    'PATCH /deals/{id} place': [{ after: null }],
    'PATCH /deals/{id} participants': [[]],
    'POST /pipelines stages': stages,
  },
}
