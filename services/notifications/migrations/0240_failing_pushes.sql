-- expand: time of the first of the push messages in a row that could not be delivered
alter table push_subscriptions add column failing_since timestamptz;
