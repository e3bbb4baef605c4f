-- Mails to people who sign in: a table of the directory, since the person may have no workspace yet. A mail holds a link
-- that works, so nothing of it is readable here, and a row is gone when its mail has been sent.

create table mails (
  id text collate "C" primary key,
  state text not null constraint mails_state check (state in ('queued', 'trapped', 'failed')),
  -- Recipient, subject and text, sealed with the application's secret.
  content bytea not null,
  -- What the mail server said last, sealed as well: it quotes addresses, and sometimes links.
  answer bytea,
  attempts smallint not null,
  created_at timestamptz(3) not null
);

grant select, insert, update, delete on mails to gable_app;
