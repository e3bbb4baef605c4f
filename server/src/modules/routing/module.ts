import type { Module } from '#kernel/module.ts'
import * as agentEndpoints from './agent-endpoints.ts'
import { addBacktestCommand } from './backtest-command.ts'
import * as endpoints from './endpoints.ts'
import { MemberAvailabilityChanged, RoutingRulesChanged } from './events.ts'

/** Routing rules and decisions. The endpoints about decisions are in the leads module. */
export const routing: Module = {
  tag: 'Routing rules',
  endpoints: [...Object.values(endpoints), ...Object.values(agentEndpoints)],
  events: [RoutingRulesChanged, MemberAvailabilityChanged],
  commands: addBacktestCommand,
}
