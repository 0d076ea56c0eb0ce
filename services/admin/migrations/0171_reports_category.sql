-- expand: queues of open reports by category
create index concurrently if not exists reports_open_category on reports (category, id) where action_taken_at is null;
