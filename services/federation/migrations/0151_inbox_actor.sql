-- expand: what an actor sent is found when its server began again
create index concurrently if not exists inbox_activities_actor on inbox_activities (actor) where outcome is not null;
