-- expand: times of scheduled statuses have years of four digits, as API responses need

update scheduled_statuses set scheduled_at = '9999-12-31T23:59:59Z' where scheduled_at >= '9999-12-31T23:59:59Z';
