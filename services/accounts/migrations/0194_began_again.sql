-- expand: when the server of a remote account was last taken for one that began again
alter table accounts add column if not exists began_again_at timestamptz;
