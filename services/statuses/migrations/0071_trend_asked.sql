-- expand: when staff was asked to look at what trends
alter table trends add column asked_at timestamptz;
