import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'

/** The schema of the queue's tables. */
export const jobsSchema = 'graphile_worker'

/**
 * The queue's tables belong to the schema's owner and have row-level security without policies, which excludes all
 * other roles. The server's role owns nothing but runs the queue, so it gets a policy for each table.
 */
const grantAccess = `
grant usage on schema ${jobsSchema} to gable_app;
grant select, insert, update, delete on all tables in schema ${jobsSchema} to gable_app;
grant usage on all sequences in schema ${jobsSchema} to gable_app;
do $$
declare
  guarded record;
begin
  for guarded in
    select c.relname from pg_class c
    where c.relnamespace = '${jobsSchema}'::regnamespace and c.relrowsecurity
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'server')
  loop
    execute format('create policy server on ${jobsSchema}.%I to gable_app using (true)', guarded.relname);
  end loop;
end
$$`

/** Migrates graphile-worker's schema. `client` and `url` must be the owner's. */
export async function migrateJobs(client: pg.Client, url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c lock_timeout=1000' })
  pool.on('error', () => undefined)
  pool.on('connect', (one) => one.on('error', () => undefined))
  try {
    await runMigrations({ pgPool: pool, schema: jobsSchema, logger: new Logger(() => () => undefined) })
  } finally {
    await pool.end()
  }
  await client.query(grantAccess)
}
