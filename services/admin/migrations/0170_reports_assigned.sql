-- expand: queues of open reports by assignment
create index concurrently if not exists reports_open_assigned on reports (assigned_account_id, id) where action_taken_at is null;
