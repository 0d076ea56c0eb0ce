-- expand: quotes that were accepted while their status was held, so that the quoted author is notified when it is released
alter table quotes add column unannounced boolean not null default false;
