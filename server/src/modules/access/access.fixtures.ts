import type { Fixtures } from '#test/support/fixtures.ts'
import { allScopes } from './scopes.ts'

export const fixtures: Fixtures = {
  values: { 'POST /api-keys scopes': [[...allScopes], ['leads:write'], ['leads:read', 'leads:read']] },
}
