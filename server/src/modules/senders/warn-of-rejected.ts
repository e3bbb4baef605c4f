import type { Runtime } from '#kernel/context.ts'
import { placesIn } from './accounts/account-parts.ts'
import { listOwnServers } from './connection-queries.ts'
import type { ConnectionRow } from './connection.ts'

/**
 * Logs the connections of all workspaces whose address the rules reject, for example because EGRESS_ALLOW has changed.
 * The start does not wait for it, because name servers may be slow.
 */
export async function warnOfRejected(runtime: Runtime): Promise<AsyncDisposable> {
  const stop = new AbortController()
  const checked = checkAll(runtime, stop.signal).catch((error: unknown) =>
    runtime.log.warn({ err: error }, 'the addresses of connections were not checked'),
  )
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await checked
    },
  }
}

async function checkAll(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await listOwnServers(runtime.database.directory, after)
    for (const connection of page) {
      if (stopping.aborted) return
      const { id, workspace_id: workspace, provider } = connection
      for (const host of await rejectedHosts(runtime, connection))
        runtime.log.warn(
          { provider, workspace, host, connection: id },
          'a connection is not used, because its address is not public; EGRESS_ALLOW can allow it',
        )
    }
    after = page.at(-1)?.id
  }
}

async function rejectedHosts({ egress }: Runtime, { provider, settings }: ConnectionRow): Promise<string[]> {
  const hosts = await Promise.all(
    Object.values(placesIn(provider, settings)).map(async (place) => {
      if ((await egress.inspect(place)) === undefined) return []
      return typeof place === 'string' ? new URL(place).host : `${place.host}:${place.port}`
    }),
  )
  return [...new Set(hosts.flat())]
}
