import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type PipelineRow, type PipelineWithStages, pipelineRecord } from './pipeline.ts'
import { PipelineStage } from './stage.ts'

const Row = Type.Intersect([pipelineRecord.Row, Type.Object({ stages: Type.Array(PipelineStage) })])

/** Pipelines with their stages. `rest` adds conditions, order, and limit. */
export const listPipelines = (db: Db, rest: Sql) =>
  db.many(Row)`
    select ${pipelineRecord.columns}, (
      select json_agg(
        json_build_object('id', s.id, 'name', s.name, 'color', s.color, 'probability', s.probability, 'outcome', s.outcome)
        order by s.position
      ) from pipeline_stages s where s.workspace_id = ${db.workspaceId} and s.pipeline_id = pipelines.id
    ) as stages
    from pipelines where workspace_id = ${db.workspaceId} ${rest}`

export const findPipeline = async (db: Db, id: string) => (await listPipelines(db, sql`and id = ${id}`))[0]

export const findDefaultPipeline = async (db: Db) => (await listPipelines(db, sql`and is_default`))[0]

const IdRow = Type.Object({ id: Type.String() })

/** The pipeline that a stage belongs to. */
export const findPipelineOfStage = async (db: Db, stageId: string) => {
  const row = await db.maybeOne(IdRow)`
    select pipeline_id as id from pipeline_stages where workspace_id = ${db.workspaceId} and id = ${stageId}`
  return row && findPipeline(db, row.id)
}

/** Serializes changes to the pipelines of a workspace. */
export const lockPipelines = (tx: WorkspaceTx): void => lock(tx, 'pipelines')

export const insertPipeline = (tx: WorkspaceTx, { stages, ...row }: PipelineWithStages): void => {
  tx.write`insert into pipelines ${values({ workspace_id: tx.workspaceId, ...row })}`
  saveStages(tx, row.id, stages)
}

/** Writes the changed columns. The caller must hold the pipelines lock. */
export const savePipeline = (tx: WorkspaceTx, id: string, changed: Partial<PipelineRow>): void =>
  tx.write`update pipelines set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Upserts these stages in this order. */
export const saveStages = (tx: WorkspaceTx, pipelineId: string, stages: readonly PipelineStage[]): void =>
  tx.write`
    insert into pipeline_stages (workspace_id, pipeline_id, id, position, name, color, probability, outcome)
    select ${tx.workspaceId}, ${pipelineId}, stage ->> 'id', position - 1, stage ->> 'name', stage ->> 'color',
      (stage ->> 'probability')::smallint, stage ->> 'outcome'
    from json_array_elements(${JSON.stringify(stages)}::json) with ordinality as element (stage, position)
    on conflict (workspace_id, pipeline_id, id) do update set
      position = excluded.position, name = excluded.name, color = excluded.color, probability = excluded.probability,
      outcome = excluded.outcome`

export const deleteStages = (tx: WorkspaceTx, pipelineId: string, ids: readonly string[]): void =>
  tx.write`
    delete from pipeline_stages
    where workspace_id = ${tx.workspaceId} and pipeline_id = ${pipelineId} and id = any (${ids}::text[])`

/** The subset of these stages that have deals which are not deleted. */
export const listUsedStages = async (tx: WorkspaceTx, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.unrestricted().many(IdRow)`
    select stage as id from unnest(${ids}::text[]) as stage
    where exists (
      select from deals
      where workspace_id = ${tx.workspaceId} and stage_id = stage collate "C" and deleted_at is null
    )`
  return rows.map(({ id }) => id)
}
