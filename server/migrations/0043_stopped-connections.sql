-- Why nothing is sent through a connection, and since when. Null while it can send.
alter table connections add column stopped jsonb;
select mark_columns('connections', 'not personal', 'stopped');
