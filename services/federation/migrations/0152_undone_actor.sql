-- expand: what an actor took back is found when its server began again
create index concurrently if not exists undone_activities_actor on undone_activities (actor);
