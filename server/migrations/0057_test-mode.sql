-- A workspace in test mode never reaches anyone, and its time may be ahead of the machine's by so many milliseconds.
alter table workspaces add column test_mode boolean not null default false;
alter table workspaces add column clock_ahead_ms bigint not null default 0
  constraint workspaces_clock check (clock_ahead_ms = 0 or (test_mode and clock_ahead_ms > 0));
