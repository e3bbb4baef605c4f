import { totalmem } from 'node:os'

const megabyte = 2 ** 20

/** PostgreSQL's settings, given on its command line, so that a newer Gable's apply to a cluster of any age. */
export function settings(clusterName: string, port: number): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  const values = {
    cluster_name: clusterName,
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: memory >= 2048 * megabyte ? '256MB' : '64MB',
    random_page_cost: 1.1,
    // Compiling a plan takes longer than the short statements of an API.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Above errors of statements, which are the API's to tell and may quote customers' data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
