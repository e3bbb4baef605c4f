import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

const signers = [
  [{ name: 'Bo Lind', email: 'bo@lind.example', role: 'Seller' }],
  Array.from({ length: 30 }, (_, i) => ({ name: `Signer ${i}`, email: `signer-${i}@lind.example` })),
]

export const fixtures: Fixtures = {
  owners: {
    '/documents/{id}': async (id, memberId) =>
      asOwner(await workerDatabase(), 'update documents set owner_id = $2 where id = $1', [id, memberId]),
  },
  alternatives: { 'POST /documents': ['template_id', 'provider_document_id'] },
  referents: {
    signature_connection: async (workspace) =>
      idOf(
        await (
          await workspace.credential()
        ).post('/connections', {
          provider: 'documenso',
          name: 'Documenso',
          account: 'Lantern & Oak',
          secret: 'api_3f2d1b0c9e8a7d6c whsec_5b4a39281706f5e4',
        }),
      ),
  },
  reset: {
    'POST /documents': async () =>
      asOwner(
        await workerDatabase(),
        'update documents set provider_document_id = null where deal_id is null',
      ),
  },
  values: {
    'POST /documents signers': signers,
  },
}
