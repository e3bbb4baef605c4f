-- squawk-ignore-file require-concurrent-index-creation
-- One pass over the table, and writes wait for it.

-- The contacts whose number or name the version before read otherwise; `isReadOtherwise` in contacts/queries.ts is the same.
create index contacts_read_otherwise on contacts (workspace_id, id)
where (phone ~ '#|^[^0-9]*(00)?(5[245]|22[59])' or first_name ~ '[#;/|&]' or last_name ~ '[#;/|&]');
