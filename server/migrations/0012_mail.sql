-- Emails to people who sign in. A person may have no workspace yet, so this is a directory table. An email contains a
-- working link, so its content is sealed, and its row is deleted once it has been sent.

create table mails (
  id text collate "C" primary key,
  state text not null constraint mails_state check (state in ('queued', 'caught', 'failed')),
  -- Recipient, subject, and text, sealed with the application's secret.
  content bytea not null,
  -- The mail server's last response, also sealed: it quotes addresses and sometimes links.
  answer bytea,
  attempts smallint not null,
  created_at timestamptz(3) not null
);
comment on table mails is 'directory';
select mark_columns(
  'mails', 'personal: kept, to a member, sealed, deleted when sent or after 7 days',
  'content', 'answer'
);

grant select, insert, update, delete on mails to gable_app;
