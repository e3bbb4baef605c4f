import { Type } from 'typebox'
import { type Provide, endpoint, ok } from '#kernel/http/endpoint.ts'
import { idPattern } from '#kernel/ids.ts'
import type { CallDependencies } from '../ports.ts'
import { askProvider, recordTest, testResults } from './test-connection.ts'

const ConnectionTest = Type.Object(
  {
    id: Type.String({ pattern: idPattern }),
    result: Type.Enum([...testResults], {
      title: 'ConnectionTestResult',
      description:
        '`accepted`: the provider accepts the credentials. `rejected`: it rejects them. `unknown_account`: it accepts them, but does not have the account. `unreachable`: Gable got no clear response; nothing was recorded.',
    }),
  },
  {
    title: 'ConnectionTest',
    examples: [{ id: 'cmi8hc1x2000am2n6d4f8g1h7', result: 'accepted' }],
  },
)

export const postConnectionTest = endpoint('POST /connections/{id}/test', {
  scope: 'settings:manage',
  tag: 'Connections',
  summary: 'Test a connection',
  description:
    'Asks Retell or Twilio whether it accepts the credentials and has the account. The connection shows the result: `tested_at` if the provider accepts them, `credentials_rejected_at` otherwise.',
  responses: { 200: ConnectionTest },
  errors: {
    409: '`connection_disconnected`: the connection has no credentials. `connection_untestable`: its provider is neither Retell nor Twilio.',
  },
  prepare: async (ctx, { params }, provide: Provide<CallDependencies>) =>
    askProvider(ctx, (await provide()).voice, params.id),
  async handle(ctx, { params: { id } }, test) {
    await recordTest(ctx, test)
    return ok({ id, result: test.result })
  },
})
