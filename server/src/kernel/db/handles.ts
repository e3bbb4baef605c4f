import type { Static, TSchema } from 'typebox'
import type { Reach } from '../reach.ts'
import type { SqlTag } from './rows.ts'

/** Queries by row schema: ``db.many(ContactRow)`select … from contacts` ``. Tests check every row against its schema. */
export interface Queries {
  many<R extends TSchema>(row: R): SqlTag<Promise<Static<R>[]>>
  /** The only row, or undefined. More than one row is an error in the query. */
  maybeOne<R extends TSchema>(row: R): SqlTag<Promise<Static<R> | undefined>>
  /** Exactly one row. */
  one<R extends TSchema>(row: R): SqlTag<Promise<Static<R>>>
  /** Runs a statement that returns no rows. Returns the number of rows it affected. */
  readonly run: SqlTag<Promise<number>>
}

interface Writes {
  /**
   * Writes without waiting for the result: the statement travels with the next query, or at the latest with the COMMIT.
   * Order is kept, and a statement that fails rolls back the whole transaction. For query files only.
   */
  readonly write: SqlTag<void>
  /** Sends pending writes now, for callers that must know before the commit whether they succeed. */
  flush(): Promise<void>
}

/** Reads tables of one workspace. Every statement names the workspace; row-level security enforces it as well. */
export interface Db extends Queries {
  readonly workspaceId: string
  /** Whose records its statements may touch. Every statement on a table of records names it; see `within`. */
  readonly reach: Reach
}

/**
 * Queries directory tables: workspaces, people, sessions, credentials, mails. Sees no rows of workspace tables, and is
 * no `Db`.
 */
export interface DirectoryDb extends Queries {
  /** Marks handles that may query the directory, so that the compiler rejects a workspace's reads in their place. */
  readonly directory: true
}

/** A transaction on directory tables. */
export interface DirectoryTx extends DirectoryDb, Writes {}

/**
 * A transaction in one workspace. It may write directory tables too, in statements of their own, for changes that must
 * commit together, such as a member and the person who signs in.
 */
export interface WorkspaceTx extends Db, DirectoryTx {
  /** Whether rows are checked against their schemas, and locks against what is done under them. On in tests. */
  readonly checked: boolean
  /**
   * The same transaction with a reach of everything, for what the system must do beyond the caller's: match a lead to an
   * existing contact, route it, let subscribers act. First find what the caller named, within their reach.
   */
  unrestricted(): WorkspaceTx
}

/** The directory: each query outside of `transaction` commits by itself. */
export interface Directory extends DirectoryDb {
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>
}
