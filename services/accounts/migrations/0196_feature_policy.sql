-- expand: who may put a remote account into a collection; null when it does not say, or was not read since
alter table accounts add column if not exists feature_policy jsonb;
